/** A game as its log tells it: decisions, each with the luck that followed. */

/** Strokes of luck that are named, the most turning points, and the least that is one. */
const FEW = 5;
const SWINGS = 6;
const SWING = 0.02;

/** Events as entries: a decision and the luck that followed it. */
export function entries(events) {
  const found = [];
  for (const { n, by, words, text, note } of events) {
    const last = found.at(-1);
    if (by < 0 && last) {
      last.luck.push(words ?? text);
      last.to = n;
    } else found.push({ to: n, by, words: words ?? text, luck: [], note });
  }
  return found;
}

/** Luck in words, without repeating them: "a new die on 3, 7, 9". */
export function luckInWords(luck) {
  if (luck.length <= 1) return luck.join("");
  const stem = luck[0].replace(/\S+$/, "");
  const alike = stem && luck.every((one) => one.startsWith(stem));
  const ends = alike ? luck.map((one) => one.slice(stem.length)) : luck;
  const more = ends.length > FEW ? ` and ${ends.length - FEW} more` : "";
  return (alike ? stem : "") + ends.slice(0, FEW).join(", ") + more;
}

/** Expectations are told where somebody decides: in the middle of luck they mean little. */
export function expected(expectation, stops, at) {
  const stop = at === 0 ? 0 : (stops.findLast((n) => n <= at) ?? 0);
  return expectation[stop] ?? [];
}

/** The stop before or after a place, by -1 or 1; the first or the last where there is none. */
export function stopFrom(stops, at, by, last) {
  if (by > 0) return stops.find((n) => n > at) ?? last;
  return stops.findLast((n) => n < at) ?? 0;
}

/** The entries at which expectations moved most: for which seat it was best, and by how much. */
export function swings(steps, expectation, last) {
  const stops = steps.map((one) => one.to);
  const moves = steps.map((entry, n) => {
    const [before, after] = [stops[n - 1] ?? 0, entry.to].map((at) => expected(expectation, stops, at));
    const moved = after.map((share, seat) => share - before[seat]);
    const by = Math.max(...moved);
    return { entry, by, seat: moved.indexOf(by) };
  });
  const found = [];
  for (const one of moves.sort((a, b) => b.by - a.by)) {
    const near = (other) => Math.abs(other.entry.to - one.entry.to) <= last / 60;
    if (found.length === SWINGS || one.by < SWING) break;
    if (!found.some(near)) found.push(one);
  }
  return found.sort((a, b) => a.entry.to - b.entry.to);
}
