/** How a table is opened: at once, with friends, or for agents only. */
import { ask } from "./api.js";
import { choice, fill, h } from "./dom.js";
import { colourName, mark } from "./look.js";
import { callMe, habit, keepHabit, keepSeats, myName } from "./memory.js";

const CLOCKS = [
  ["", "no clock"],
  [15, "15 seconds"],
  [30, "30 seconds"],
  [60, "a minute"],
  [300, "5 minutes"],
  [86_400, "a day"],
];

/** In place of a choice: a file, and how many bytes it may have. */
const FILE = " file";
const MOST_CONTENT = 64 * 1024;

export const range = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** A number within limits. */
export const within = ([low, high], n) => Math.min(high, Math.max(low, n));

/** Open a table and go there. */
export async function open(wish) {
  const made = await ask("/api/tables", { you: myName(), ...wish });
  keepSeats(made.table, made.seats);
  location.href = `/table/${made.table}`;
}

const agent = (level) => ({ kind: "agent", agent: level });

/** What a seat is called where seats differ. */
export const roleOf = (game, n) => game.roles[Math.min(n, game.roles.length - 1)];

/** The same with its colour, where several seats are called so. */
function seatName(game, n) {
  const last = game.roles.length - 1;
  if (last < 0) return colourName(n);
  return n < last ? roleOf(game, n) : `${colourName(n)} ${roleOf(game, n)}`;
}

/** You against agents of one level: in the first seat, or in all seats of a role. */
export function playNow(game, opponents, level, role) {
  keepHabit(game.name, { opponents, level, role });
  const yours = (n) => (role ? roleOf(game, n) === role : n === 0);
  const seats = range(0, opponents).map((n) => (yours(n) ? { kind: "person" } : agent(level)));
  return open({ game: game.name, seats });
}

/** Agents only, of levels from all over the range. */
export function watch(game) {
  const last = within(game.players, 3) - 1;
  const step = (game.levels.length - 1) / Math.max(1, last);
  const seats = range(0, last).map((n) => agent(game.levels[Math.round(n * step)].name));
  return open({ game: game.name, seats });
}

/** The levels of a game to choose from. */
export function levels(game) {
  const help = Object.fromEntries(game.agents.map((one) => [one.name, one.help]));
  return game.levels.map(({ name, agent: spec }) => [name, name, help[spec] || spec]);
}

// --- the dialog of a table with friends ---

export function askFriends(dialog, game) {
  const known = habit(game.name);
  const sizes = range(...game.players).map((n) => [n, n]);
  const usual = game.options.find((one) => one.name === "players").default;
  const many = known.players || (game.roles.length ? usual : game.players[0]);
  const size = choice({}, sizes, within(game.players, many));
  const seats = h("ol.seats");
  const error = h("p.line", { role: "alert" });
  const name = h("input", { maxlength: 40, value: myName(), autocomplete: "nickname" });
  const clock = choice({}, CLOCKS);
  const shown = h("input", { type: "checkbox" });
  const title = h("input", { maxlength: 40, placeholder: `${game.title} with friends` });
  const rules = game.options.filter((one) => one.name !== "players");
  const fields = new Map(rules.map((one) => [one, field(one)]));
  const presets = game.presets.map((one) => [one.name, one.name]);
  const preset = choice({}, [["", "the usual ones"], ...presets]);
  preset.addEventListener("change", () => {
    const chosen = game.presets.find((one) => one.name === preset.value)?.options ?? {};
    for (const [one, input] of fields) setTo(one, input, chosen[one.name] ?? one.default);
    if (chosen.players) size.value = chosen.players;
    deal();
  });
  const deal = () => fill(seats, range(0, size.value - 1).map((n) => seatRow(game, n)));
  size.addEventListener("change", deal);
  deal();

  const wish = (set) => ({
    game: game.name,
    options: { ...Object.fromEntries(set), players: Number(size.value) },
    seats: [...seats.children].map((row) => row.seat()),
    name: title.value,
    public: shown.checked,
    you: name.value,
    ...(clock.value && { clock: Number(clock.value) }),
  });

  async function submit(event) {
    event.preventDefault();
    const { submitter } = event;
    submitter.disabled = true;
    error.textContent = "";
    callMe(name.value);
    keepHabit(game.name, { players: Number(size.value) });
    try {
      const set = rules.map(async (one) => [one.name, await valueOf(one, fields.get(one))]);
      await open(wish(await Promise.all(set)));
    } catch (refused) {
      error.textContent = refused.message;
      submitter.disabled = false;
    }
  }

  const rule = (one) => [
    labelled(`${one.name} – ${one.help}`, fields.get(one)),
    fields.get(one).upload?.label,
  ];
  fill(dialog, h("form", { onsubmit: submit },
    h("h2", { id: "friends-title" }, `${game.title} with friends`),
    h("div.fields", {},
      labelled("Your name", name),
      labelled("Players", size),
      labelled("Clock for a decision", clock)),
    h("p.quiet", {}, "Open seats are for whoever has the link. Several people can share a screen."),
    seats,
    h("details", {}, h("summary", {}, "Rules and name of the table"),
      h("div.fields", {}, labelled("Name of the table", title),
        presets.length > 0 && labelled("Set of rules", preset), rules.map(rule))),
    h("label.check", {}, shown, "Show the table on the home page, not only to who has its link"),
    error,
    h("div.row", {},
      h("button.primary", {}, "Open the table"),
      h("button", { type: "button", onclick: () => dialog.close() }, "Not now"))));
  dialog.showModal();
}

const labelled = (words, input) => h("label.field", {}, h("span", {}, words), input);

/** A row of the dialog: who sits here. Its `seat()` is what the server is asked for. */
function seatRow(game, n) {
  const people = [["person", n === 0 ? "You" : "Another person here"], ["open", "Open for a friend"]];
  const who = choice({ "aria-label": `Seat ${n + 1}` }, people);
  who.append(h("optgroup", { label: "Agents" }, [...choice({}, levels(game)).children]));
  who.value = n === 0 ? "person" : "open";
  const label = `Name at seat ${n + 1}`;
  const name = h("input", { maxlength: 40, placeholder: "name", "aria-label": label });
  const show = () => (name.hidden = n === 0 || who.value !== "person");
  who.addEventListener("change", show);
  show();
  const row = h("li", {}, mark(n), h("span.colour", {}, seatName(game, n)), who, name);
  row.seat = () => {
    if (who.value === "open") return { kind: "open" };
    if (who.value !== "person") return agent(who.value);
    return n > 0 && name.value ? { kind: "person", name: name.value } : { kind: "person" };
  };
  return row;
}

/** What an option is set with. */
function field({ name, default: value, choices, low, high, file }) {
  if (typeof value === "boolean") return h("input", { type: "checkbox", checked: value });
  if (file) return fileField(name, choices, value);
  if (choices.length) return choice({}, choices.map((one) => [one, one]), value);
  if (typeof value !== "number") return h("input", { value });
  const step = Number.isInteger(value) ? 1 : "any";
  return h("input", { type: "number", value, min: low, max: high, step });
}

/** A choice that may also be what is in a file. */
function fileField(name, choices, value) {
  const own = [FILE, "a file of your own …"];
  const list = choice({}, [...choices.map((one) => [one, one]), own], value);
  const input = h("input", { type: "file", accept: ".json,application/json" });
  const label = labelled(`${name} – your file, at most ${MOST_CONTENT / 1024} kB`, input);
  const show = () => (label.hidden = list.value !== FILE);
  list.addEventListener("change", show);
  list.upload = { input, label };
  show();
  return list;
}

/** What is in a file; the server checks the rest. */
async function contentOf(name, [file]) {
  if (!file) throw new Error(`Choose a file for ${name}, or one of the other choices.`);
  if (file.size > MOST_CONTENT) {
    const [most, kB] = [MOST_CONTENT, file.size].map((size) => Math.ceil(size / 1024));
    throw new Error(`${name} may be a file of at most ${most} kB; ${file.name} has ${kB} kB.`);
  }
  const text = await file.text();
  if (!text.trimStart().startsWith("{")) throw new Error(`${file.name} is not a JSON object.`);
  return text;
}

function setTo(option, input, value) {
  if (typeof option.default === "boolean") input.checked = value;
  else input.value = value;
  if (option.file) input.dispatchEvent(new Event("change"));
}

async function valueOf(option, input) {
  if (typeof option.default === "boolean") return input.checked;
  if (option.file && input.value === FILE) return contentOf(option.name, input.upload.input.files);
  return typeof option.default === "number" ? Number(input.value) : input.value;
}
