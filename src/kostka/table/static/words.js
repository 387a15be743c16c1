/** How numbers, times and sentences are put. */

/** With a capital letter. */
export const spoken = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** With a capital letter and a full stop. */
export function sentence(words) {
  const begun = spoken(String(words).trim());
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** A share in percent. */
export const percent = (share) => `${Math.round(100 * share)} %`;

/** A difference of shares, with its sign. */
export function points(difference) {
  const rounded = Math.round(100 * difference);
  return rounded === 0 ? "0" : `${rounded > 0 ? "+" : "−"}${Math.abs(rounded)}`;
}

/** A score or a result. */
export const figure = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));

/** What a clock shows. */
export function clockTime(seconds) {
  const short = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return seconds < 3600 ? short : `${Math.round(seconds / 3600)} h`;
}

/** How long something takes. */
export function duration(seconds) {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/** How long ago something was. */
export function ago(when, now = Date.now()) {
  const minutes = Math.round((now - when) / 60_000);
  if (minutes < 2) return "just now";
  if (minutes < 90) return `${minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} hours ago` : new Date(when).toLocaleDateString("en-GB");
}
