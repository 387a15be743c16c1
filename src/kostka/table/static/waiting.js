/** The waiting room: who sits where, the link for the others, and who is ready. */
import { choice, copy, fill, h } from "./dom.js";
import { colourName, mark } from "./look.js";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const ALONE =
  "Only this computer can open this link; start the server with --host 0.0.0.0 --public for others.";

/**
 * Draw the room. `acts`: sit(seat), ready(true or false), leave(), fill(seat, agent); `levels`: the
 * agents that the host can choose from.
 */
export function showRoom(root, table, mine, acts, levels) {
  const kinds = mine.has(table.host) ? levels : [];
  const free = table.seats.filter((one) => one.kind === "open").length;
  fill(
    root,
    h("div.room-card", {},
      h("h2", {}, table.name || "The table is being set"),
      h("p.quiet", {}, `${table.title}. ${still(free)}`),
      h("ol.room-seats", {}, table.seats.map((seat, n) => row(seat, n, mine, acts, kinds))),
      free > 0 && invitation(table),
      mine.size ? yours(table, mine, acts) : h("p.quiet", {}, watching(free))),
  );
}

function still(free) {
  if (!free) return "Everybody sits; the game begins when all are ready.";
  return free === 1 ? "One seat is still free." : `${free} seats are still free.`;
}

function watching(free) {
  if (free) return "You are watching. Sit down on a free seat to play.";
  return "All seats are taken; you can watch.";
}

function row(seat, n, mine, acts, kinds) {
  const open = seat.kind === "open";
  const name = open ? h("i.quiet", {}, `${colourName(n)}: an open seat`) : seat.name;
  const role = seat.role && h("small.quiet", {}, seat.role);
  const sit = { "data-seat": n, onclick: () => acts.sit(n) };
  return h("li", {},
    mark(n),
    h("span.name", {}, name, mine.has(n) && h("span.tag", {}, " you"), role),
    state(seat),
    open && !mine.size && h("button.primary", sit, "Sit here"),
    open && mine.size > 0 && h("button", sit, "Also at this screen"),
    open && kinds.length > 0 && agentFor(n, kinds, acts));
}

/** Let an agent play on a seat that stays open. */
function agentFor(n, kinds, acts) {
  const given = { id: `fill-${n}`, "aria-label": `An agent for seat ${n + 1}` };
  const list = choice(given, [["", "An agent …"], ...kinds.map((name) => [name, name])], "");
  list.addEventListener("change", () => list.value && acts.fill(n, list.value));
  return list;
}

function state(seat) {
  if (seat.kind === "open") return null;
  if (seat.kind === "agent") return h("span.state", {}, "agent");
  if (!seat.here) return h("span.state.quiet", {}, seat.ready ? "ready, away" : "away");
  if (seat.ready) return h("span.state.ready", {}, "ready ✓");
  return h("span.state", {}, "not ready yet");
}

function invitation(table) {
  const link = `${location.origin}/table/${table.id}`;
  const select = (event) => event.target.select();
  const button = h("button", { onclick: () => copy(button, link) }, "Copy the link");
  return h("div.invite", {},
    h("label", { for: "invite" }, "Send this link to whom you want at the table"),
    h("div.row", {},
      h("input", { id: "invite", readonly: true, value: link, onfocus: select }), button),
    LOOPBACK.has(location.hostname) && h("p.quiet", {}, ALONE));
}

function yours(table, mine, acts) {
  const ready = [...mine.keys()].every((n) => table.seats[n].ready);
  const given = { id: "ready", "aria-pressed": String(ready), onclick: () => acts.ready(!ready) };
  return h("div.row", {},
    ready ? h("button", given, "Not ready after all") : h("button.primary", given, "I am ready"),
    h("button", { onclick: acts.leave }, "Leave the table"));
}
