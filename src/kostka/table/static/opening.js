/** How a table is opened: at once, with friends, or for agents only. */
import { ask } from "./api.js";
import { h, fill } from "./dom.js";
import { colourName, mark } from "./look.js";
import { callMe, habit, keepHabit, keepSeats, myName } from "./memory.js";

const CLOCKS = [["", "no clock"], ["15", "15 seconds"], ["30", "30 seconds"], ["60", "a minute"], ["300", "5 minutes"], ["86400", "a day"]];

/** Open a table and go there. */
export async function open(wish) {
  const made = await ask("/api/tables", { you: myName(), ...wish });
  keepSeats(made.table, made.seats);
  location.href = `/table/${made.table}`;
}

/** You against agents of one level. */
export function playNow(game, opponents, level) {
  keepHabit(game.name, { opponents, level });
  const agents = Array.from({ length: opponents }, () => ({ kind: "agent", agent: level }));
  return open({ game: game.name, seats: [{ kind: "person" }, ...agents] });
}

/** Agents only, of levels from all over the range. */
export function watch(game) {
  const [fewest, most] = game.players;
  const seats = Math.min(most, Math.max(fewest, 3));
  const step = (game.levels.length - 1) / Math.max(1, seats - 1);
  const pick = (n) => game.levels[Math.round(n * step)].name;
  return open({ game: game.name, seats: Array.from({ length: seats }, (_, n) => ({ kind: "agent", agent: pick(n) })) });
}

/** The dialog of a table with friends. */
export function askFriends(dialog, game) {
  const [fewest, most] = game.players;
  const known = habit(game.name);
  const size = h("select", { name: "players" }, range(fewest, most).map((n) => h("option", { value: n }, n)));
  size.value = String(Math.min(most, Math.max(fewest, known.players || fewest)));
  const seats = h("ol.seats");
  const error = h("p.line", { role: "alert" });
  const name = h("input", { name: "you", maxlength: 40, value: myName(), placeholder: "your name", autocomplete: "nickname" });
  const clock = h("select", { name: "clock" }, CLOCKS.map(([value, words]) => h("option", { value }, words)));
  const shown = h("input", { type: "checkbox", name: "public" });
  const title = h("input", { name: "name", maxlength: 40, placeholder: `${game.title} with friends` });
  const rules = game.options.filter((one) => one.name !== "players").map((one) => [one, field(one)]);
  const deal = () => fill(seats, range(0, size.value - 1).map((n) => seatRow(game, n, known)));
  size.addEventListener("change", deal);
  deal();

  async function submit(event) {
    event.preventDefault();
    const go = event.submitter;
    go.disabled = true;
    error.textContent = "";
    callMe(name.value);
    keepHabit(game.name, { players: Number(size.value) });
    const options = Object.fromEntries(rules.map(([one, input]) => [one.name, valueOf(one, input)]));
    const wish = {
      game: game.name,
      options: { ...options, players: Number(size.value) },
      seats: [...seats.children].map((row) => row.seat()),
      name: title.value,
      public: shown.checked,
      you: name.value,
      ...(clock.value && { clock: Number(clock.value) }),
    };
    try {
      await open(wish);
    } catch (refused) {
      error.textContent = refused.message;
      go.disabled = false;
    }
  }

  const labelled = (words, input) => h("label.field", {}, h("span", {}, words), input);
  const body = h("form", { onsubmit: submit },
    h("h2", { id: "friends-title" }, `${game.title} with friends`),
    h("div.fields", {}, labelled("Your name", name), labelled("Players", size), labelled("Clock for a decision", clock)),
    h("p.quiet", {}, "Open seats are for whoever has the link. Several people can share this screen."),
    seats,
    h("details", {}, h("summary", {}, "Rules and name of the table"),
      h("div.fields", {}, labelled("Name of the table", title), rules.map(([one, input]) => h("label.field", { title: one.help }, h("span", {}, `${one.name} – ${one.help}`), input)))),
    h("label.check", {}, shown, "Show the table on the home page; otherwise it is found only by its link"),
    error,
    h("div.row", {}, h("button.primary", {}, "Open the table"), h("button", { type: "button", onclick: () => dialog.close() }, "Not now")));
  fill(dialog, body);
  dialog.showModal();
}

/** A row of the dialog: who sits here. Its `seat()` is what the server is asked for. */
function seatRow(game, n, known) {
  const kinds = [["person", n === 0 ? "You" : "Another person here"], ["open", "Open for a friend"]];
  const who = h("select", { "aria-label": `Seat ${n + 1}` },
    kinds.map(([value, words]) => h("option", { value }, words)),
    h("optgroup", { label: "Agents" }, levelOptions(game)));
  const name = h("input", { maxlength: 40, placeholder: "name", "aria-label": `Name at seat ${n + 1}` });
  who.value = n === 0 ? "person" : "open";
  const show = () => (name.hidden = n === 0 || who.value !== "person");
  who.addEventListener("change", show);
  show();
  const row = h("li", {}, mark(n), h("span.colour", {}, colourName(n)), who, name);
  row.seat = () => {
    if (who.value === "open") return { kind: "open" };
    if (who.value === "person") return { kind: "person", ...(!name.hidden && name.value && { name: name.value }) };
    return { kind: "agent", agent: who.value };
  };
  return row;
}

/** The levels of a game as options of a select. */
export function levelOptions(game) {
  const help = Object.fromEntries(game.agents.map((one) => [one.name, one.help]));
  return game.levels.map((one) => h("option", { value: one.name, title: help[one.agent] || one.agent }, one.name));
}

function field(option) {
  if (typeof option.default === "boolean") return h("input", { type: "checkbox", checked: option.default });
  if (option.choices.length) {
    const select = h("select", {}, option.choices.map((value) => h("option", { value }, String(value))));
    select.value = String(option.default);
    return select;
  }
  const number = typeof option.default === "number";
  return h("input", { type: number ? "number" : "text", value: option.default, min: option.low, max: option.high, step: Number.isInteger(option.default) ? 1 : "any" });
}

function valueOf(option, input) {
  if (typeof option.default === "boolean") return input.checked;
  return typeof option.default === "number" ? Number(input.value) : input.value;
}

export const range = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
