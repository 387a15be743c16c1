/** The bar of players: colour, shape, name, score, clock, and whether somebody thinks. */
import { fill, h } from "./dom.js";
import { called, mark } from "./look.js";

/** Draw the bar. `mine`: your seats; `thinking`: the seat of an agent at work. */
export function showPlayers(bar, table, position, mine, thinking) {
  const mover = position?.mover ?? -2;
  const best = position?.result ? Math.max(...position.result) : null;
  fill(bar, table.seats.map((seat, n) => {
    const won = best !== null && best > 0 && position.result[n] === best;
    const first = position?.players?.[n]?.[0] ?? { label: "score", value: position && number(position.scores[n]) };
    const score = position ? h("b.score", { title: first.label }, h("span.unseen", {}, `${first.label} `), first.value) : null;
    const classes = ["player", n === mover && "mover", seat.resigned && "gone", won && "won"].filter(Boolean);
    return h(`li.${classes.join(".")}`, { tabindex: "0", "aria-current": n === mover ? "true" : null, "aria-describedby": `facts-${n}` },
      mark(n), h("span.name", {}, called(table, n)), mine.has(n) && h("span.tag", {}, "you"),
      table.status !== "over" && state(seat, n, mover, thinking), score, h("span.clock", { "data-seat": n }),
      facts(table, seat, n, position));
  }));
  bar.style.setProperty("--seats", table.seats.length);
}

function state(seat, n, mover, thinking) {
  if (seat.kind === "person" && !seat.here && !seat.resigned) return h("span.away", { title: "not connected" }, "away");
  if (n === mover && (n === thinking || seat.agent)) return h("span.thinking", { title: "thinking", role: "img", "aria-label": "thinking" }, h("i"), h("i"), h("i"));
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

/** Let the clock of the mover run down; gives a function that stops it. */
export function runClock(bar, seat, seconds) {
  const end = performance.now() + 1000 * seconds;
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    const place = bar.querySelector(`.clock[data-seat="${seat}"]`);
    if (!place) return;
    const short = left < 3600 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : `${Math.round(left / 3600)} h`;
    place.textContent = short;
    place.classList.toggle("late", left <= 10);
  };
  tick();
  const timer = setInterval(tick, 250);
  return () => clearInterval(timer);
}
