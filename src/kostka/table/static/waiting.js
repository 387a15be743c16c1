/** The waiting room: who sits where, the link for the others, and who is ready. */
import { copy, fill, h } from "./dom.js";
import { colourName, mark } from "./look.js";

/** Draw the room. `acts`: sit(seat), ready(true or false), leave(). */
export function showRoom(root, table, mine, acts) {
  const free = table.seats.filter((one) => one.kind === "open").length;
  const seated = mine.size > 0;
  const link = `${location.origin}/table/${table.id}`;
  const ready = [...mine.keys()].every((n) => table.seats[n].ready);
  const rows = table.seats.map((seat, n) => h("li", {}, mark(n), h("span.name", {}, seat.kind === "open" ? h("i.quiet", {}, `${colourName(n)}: an open seat`) : seat.name, mine.has(n) && h("span.tag", {}, " you")),
    state(seat), seat.kind === "open" && !seated && h("button.primary", { "data-seat": n, onclick: () => acts.sit(n) }, "Sit here"),
    seat.kind === "open" && seated && h("button", { "data-seat": n, onclick: () => acts.sit(n), title: "somebody else who plays at this screen" }, "Also at this screen")));
  const copying = h("button", { onclick: () => copy(copying, link) }, "Copy the link");
  const waits = free ? `${free === 1 ? "One seat is" : `${free} seats are`} still free.` : "Everybody sits; the game begins when all are ready.";
  fill(root,
    h("div.room-card", {},
      h("h2", {}, table.name || "The table is being set"),
      h("p.quiet", {}, `${table.title}. ${waits}`),
      h("ol.room-seats", {}, rows),
      free > 0 && h("div.invite", {}, h("label", { for: "invite" }, "Send this link to whom you want at the table"),
        h("div.row", {}, h("input", { id: "invite", readonly: true, value: link, onfocus: (event) => event.target.select() }), copying)),
      seated && h("div.row", {},
        h(ready ? "button" : "button.primary", { id: "ready", "aria-pressed": String(ready), onclick: () => acts.ready(!ready) }, ready ? "Not ready after all" : "I am ready"),
        h("button", { onclick: acts.leave }, "Leave the table")),
      !seated && h("p.quiet", {}, free ? "You are watching. Sit down on a free seat to play." : "All seats are taken; you can watch.")));
}

function state(seat) {
  if (seat.kind === "open") return h("span");
  if (seat.kind === "agent") return h("span.state", {}, "agent");
  if (!seat.here) return h("span.state.quiet", {}, seat.ready ? "ready, away" : "away");
  return h(seat.ready ? "span.state.ready" : "span.state", {}, seat.ready ? "ready ✓" : "not ready yet");
}
