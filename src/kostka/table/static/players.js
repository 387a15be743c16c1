/** The bar of players: colour, shape, name, score, clock, and whether somebody thinks. */
import { fill, h, keepFocus } from "./dom.js";
import { called, mark } from "./look.js";

/** Draw the bar. `mine`: your seats; `thinking`: the seat of an agent at work. */
export function showPlayers(bar, table, position, mine, thinking) {
  const mover = position?.mover ?? -2;
  const best = position?.result ? Math.max(...position.result) : null;
  const items = table.seats.map((seat, n) => {
    const won = best !== null && best > 0 && position.result[n] === best;
    const first = position?.players?.[n]?.[0] ?? { label: "score", value: position && number(position.scores[n]) };
    const score = position ? h("b.score", { title: first.label }, h("span.unseen", {}, `${first.label} `), first.value) : null;
    const classes = ["player", n === mover && "mover", seat.resigned && "gone", won && "won"].filter(Boolean);
    return h(`li.${classes.join(".")}`, { tabindex: "0", "data-seat": n, "aria-current": n === mover ? "true" : null, "aria-describedby": `facts-${n}` },
      mark(n), h("span.name", {}, called(table, n)), mine.has(n) && h("span.tag", {}, "you"),
      table.status !== "over" && state(seat, n, mover, thinking), score, h("span.clock"),
      facts(table, seat, n, position));
  });
  keepFocus(bar, () => fill(bar, items));
  tick();
}

function state(seat, n, mover, thinking) {
  if (seat.kind === "person" && !seat.here && !seat.resigned) return h("span.away", { title: "not connected" }, "away");
  if (n === mover && thinking !== undefined && (n === thinking || seat.agent)) return h("span.thinking", { title: "thinking", role: "img", "aria-label": "thinking" }, h("i"), h("i"), h("i"));
  return null;
}

/** Everything public about a player, shown when one points at him. */
function facts(table, seat, n, position) {
  const rows = (position?.players?.[n] || []).map(({ label, value }) => [label, value]);
  if (seat.agent) rows.unshift(["agent", seat.agent]);
  if (seat.resigned) rows.push(["gave up", seat.resigned]);
  if (position?.result) rows.push(["result", number(position.result[n])]);
  if (table.status === "waiting") rows.push(["ready", seat.ready ? "yes" : "not yet"]);
  return h("dl.facts", { id: `facts-${n}`, role: "tooltip" }, rows.map(([label, value]) => [h("dt", {}, label), h("dd", {}, value)]));
}

export const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));

// --- the clock ---

let clock = null;

/** Let the clock of a seat run down; no seconds: no clock. */
export function setClock(bar, seat, seconds) {
  clearInterval(clock?.timer);
  clock = seconds === null ? null : { bar, seat, end: performance.now() + 1000 * seconds, timer: setInterval(tick, 250) };
  tick();
}

function tick() {
  const place = clock?.bar.querySelector(`.player[data-seat="${clock.seat}"] .clock`);
  if (!place) return;
  const left = Math.max(0, Math.ceil((clock.end - performance.now()) / 1000));
  const hours = Math.round(left / 3600);
  place.textContent = left < 3600 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : `${hours} h`;
  place.classList.toggle("late", left <= 10);
}
