/** The bar of players: colour, shape, name, score, clock, and whether somebody thinks. */
import { fill, h, keepFocus } from "./dom.js";
import { called, mark } from "./look.js";
import { clockTime, figure } from "./words.js";

/**
 * Draw the bar. `mine`: your seats; `thinking`: the seat of an agent at work, undefined when the
 * position is none of the present.
 */
export function showPlayers(bar, table, position, mine, thinking) {
  const mover = position?.mover ?? -2;
  const best = Math.max(0, ...(position?.result ?? []));
  const items = table.seats.map((seat, n) => {
    const won = best > 0 && position.result[n] === best;
    const turn = position?.turn ?? null;
    const asked = turn !== null && mover >= 0 && turn !== mover;
    const known = { mover: n === mover, turn: asked && n === turn, gone: seat.resigned, won };
    const classes = Object.keys(known).filter((name) => known[name]);
    const given = { tabindex: "0", "data-seat": n, "aria-describedby": `facts-${n}` };
    if (n === mover) given["aria-current"] = "true";
    return h(["li.player", ...classes].join("."), given,
      mark(n),
      h("span.name", {}, called(table, n), seat.name && seat.role && h("small", {}, seat.role)),
      mine.has(n) && h("span.tag", {}, "you"),
      known.turn && h("span.tag", {}, "turn"),
      asked && n === mover && h("span.tag.asked", {}, "asked"),
      table.status !== "over" && state(seat, n, mover, thinking),
      position && score(position, n),
      h("span.clock"),
      facts(table, seat, n, position));
  });
  keepFocus(bar, () => fill(bar, items));
  tick();
}

/** The first thing people look at. */
function score(position, n) {
  const own = position.players?.[n]?.[0];
  if (!own && position.scores.length === 0) return null;
  const { label, value } = own ?? { label: "score", value: figure(position.scores[n]) };
  return h("b.score", { title: label }, h("span.unseen", {}, `${label} `), value);
}

function state(seat, n, mover, thinking) {
  if (seat.kind === "person" && !seat.here && !seat.resigned) {
    return h("span.away", { title: "not connected" }, "away");
  }
  const works = n === mover && thinking !== undefined && (n === thinking || seat.agent);
  const given = { title: "thinking", role: "img", "aria-label": "thinking" };
  return works ? h("span.thinking", given, h("i"), h("i"), h("i")) : null;
}

/** Everything public about a player, shown when one points at him. */
function facts(table, seat, n, position) {
  const rows = (position?.players?.[n] || []).map(({ label, value }) => [label, value]);
  if (seat.agent && seat.agent !== seat.name) rows.unshift(["agent", seat.agent]);
  if (seat.role) rows.unshift(["role", seat.role]);
  rows.unshift(["name", called(table, n)]);
  if (seat.resigned) rows.push(["gave up", seat.resigned]);
  if (position?.result) rows.push(["result", figure(position.result[n])]);
  if (table.status === "waiting") rows.push(["ready", seat.ready ? "yes" : "not yet"]);
  const items = rows.map(([label, value]) => [h("dt", {}, label), h("dd", {}, value)]);
  return h("dl.facts", { id: `facts-${n}`, role: "tooltip" }, items);
}

// --- the clock ---

let clock = null;

/** Let the clock of a seat run down; no seconds: no clock. */
export function setClock(bar, seat, seconds) {
  clearInterval(clock?.timer);
  const end = performance.now() + 1000 * seconds;
  clock = seconds === null ? null : { bar, seat, end, timer: setInterval(tick, 250) };
  tick();
}

function tick() {
  const place = clock?.bar.querySelector(`.player[data-seat="${clock.seat}"] .clock`);
  if (!place) return;
  const left = Math.max(0, Math.ceil((clock.end - performance.now()) / 1000));
  place.textContent = clockTime(left);
  place.classList.toggle("late", left <= 10);
}
