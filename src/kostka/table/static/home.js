/** The home page: the games, open tables, your tables, and records. */
import { ask } from "./api.js";
import { $, fill, h, tell } from "./dom.js";
import { called, mark } from "./look.js";
import { callMe, forget, habit, myName, recent } from "./memory.js";
import { askFriends, levelOptions, playNow, range, watch } from "./opening.js";

const EVERY = 4000;
const NUMBERS = ["nobody", "one", "two", "three", "four", "five", "six", "seven"];

const notice = (words) => tell($("notice"), words);

/** Let a button work until it is done, and say why it could not. */
async function busy(button, work, waiting) {
  const before = button.textContent;
  const slow = setTimeout(() => (button.textContent = waiting), 400);
  button.disabled = true;
  notice("");
  try {
    await work();
  } catch (refused) {
    notice(refused.message);
  }
  clearTimeout(slow);
  button.textContent = before;
  button.disabled = false;
}

function card(game) {
  const [fewest, most] = game.players;
  const known = habit(game.name);
  const few = h("select", { "aria-label": "How many opponents" }, range(fewest - 1, most - 1).map((n) => h("option", { value: n }, NUMBERS[n] || n)));
  const level = h("select", { "aria-label": "Level of the opponents" }, levelOptions(game));
  const usual = game.options.find((one) => one.name === "players").default - 1;
  few.value = String(Math.min(most - 1, Math.max(fewest - 1, known.opponents || usual)));
  if (game.levels.some((one) => one.name === known.level)) level.value = known.level;
  const picture = h("div.picture", { "aria-hidden": "true" });
  const waiting = "Setting up the rules …";
  const play = h("button.primary", { onclick: () => busy(play, () => playNow(game, Number(few.value), level.value), waiting) }, "Play now");
  const look = h("button", { onclick: () => busy(look, () => watch(game), waiting) }, "Watch");
  const friends = h("button", { onclick: () => askFriends($("friends"), game) }, "With friends");
  const state = h("p.quiet", { role: "status" });
  show(game, picture, state);
  return h("article.card", { "data-game": game.name }, picture,
    h("div.words", {},
      h("h2", {}, game.title),
      h("p.against", {}, "You against ", few, " ", level),
      h("div.row", {}, play, friends, look), state));
}

/** Draw a game as it looks in the middle; the first time its rules have to be compiled. */
async function show(game, picture, state) {
  if (!game.ready) state.textContent = "The rules are being made fast, once and for all; that takes a minute the first time.";
  picture.classList.add("coming");
  try {
    picture.innerHTML = await ask(`/api/games/${game.name}/picture.svg`);
    state.textContent = "";
  } catch {
    state.textContent = "This game cannot be drawn at the moment.";
  }
  picture.classList.remove("coming");
}

function tableRow(table) {
  const free = table.seats.filter((one) => one.kind === "open").length;
  const words = table.status === "waiting" ? `${free} of ${table.seats.length} seats free` : "playing";
  const who = table.seats.map((one, n) => (one.kind === "open" ? null : h("span.who", {}, mark(n), called(table, n))));
  return h("li", {}, h("a", { href: `/table/${table.id}` },
    h("b", {}, table.name || table.title), h("span.quiet", {}, `${table.title}, ${words}`), h("span.people", {}, who)),
    h("span.tag", {}, free && table.status === "waiting" ? "Join" : "Watch"));
}

async function tables() {
  try {
    const found = await ask("/api/tables");
    const rows = found.slice(0, 20).map(tableRow);
    fill($("tables"), rows.length ? rows : h("li.quiet", {}, "Nobody waits for company at the moment. Open a table with friends and show it here."));
    notice("");
    if ($("games").dataset.missing) games();
  } catch (refused) {
    fill($("tables"), h("li.quiet", {}, refused.message));
  }
}

function mine() {
  const rows = recent().map((one) => {
    const drop = h("button.small", { "aria-label": "Forget this table", title: "Forget", onclick: () => { forget(one.id); mine(); } }, "×");
    const over = one.status === "over";
    return h("li", {}, h("a", { href: `/${over ? "replay" : "table"}/${one.id}` },
      h("b", {}, one.name || one.title), h("span.quiet", {}, `${over ? "over, to look back at" : "going on"} · ${ago(one.when)}`)), drop);
  });
  fill($("recent"), rows.length ? rows : h("li.quiet", {}, "The tables you sit at will be found here again."));
}

function ago(when) {
  const minutes = Math.round((Date.now() - when) / 60_000);
  if (minutes < 2) return "just now";
  if (minutes < 90) return `${minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} hours ago` : new Date(when).toLocaleDateString("en-GB");
}

async function games() {
  const section = $("games");
  try {
    const found = await ask("/api/games");
    fill(section, found.map(card));
    delete section.dataset.missing;
  } catch (refused) {
    section.dataset.missing = "yes";
    fill(section, h("article.card.waiting", {}, h("div.picture"), h("div.words", {}, h("p", {}, refused.message), h("p.quiet", {}, "This page tries again by itself."))));
  }
  section.removeAttribute("aria-busy");
}

async function upload(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  notice("");
  try {
    const { table } = await ask("/api/records", await file.text());
    location.href = `/replay/${table}`;
  } catch (refused) {
    notice(`${file.name} could not be opened. ${refused.message}`);
  }
}

$("name").value = myName();
$("name").addEventListener("change", (event) => callMe(event.target.value));
$("record").addEventListener("change", upload);
mine();
games().then(tables);
setInterval(() => document.hidden || tables(), EVERY);
addEventListener("pageshow", (event) => event.persisted && (mine(), tables()));
