/** The home page: the games, open tables, your tables, and records. */
import { ask } from "./api.js";
import { $, choice, fill, h, tell } from "./dom.js";
import { called, mark } from "./look.js";
import { callMe, forget, habit, myName, recent } from "./memory.js";
import { askFriends, levels, playNow, range, watch, within } from "./opening.js";
import { ago } from "./words.js";

const EVERY = 4000;
const NUMBERS = ["nobody", "one", "two", "three", "four", "five", "six", "seven"];
const COMPILING = "The rules are being made fast; that takes a minute, once on this machine.";
const NOBODY = "Nobody waits for company. Open a table with friends and show it here.";

const notice = (words) => tell($("notice"), words);

// --- games ---

/** Let a button work until it is done, and say why it could not. */
async function busy(button, work) {
  const before = button.textContent;
  const slow = setTimeout(() => (button.textContent = "Setting up the rules …"), 400);
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
  const known = habit(game.name);
  const others = game.players.map((n) => n - 1);
  const roles = game.roles.map((one, n) => [one, n + 1 < game.players[0] ? one : `all ${one}s`]);
  const said = (n) => NUMBERS[roles.length ? n + 1 : n] ?? n;
  const counts = range(...others).map((n) => [n, said(n)]);
  const usual = game.options.find((one) => one.name === "players").default - 1;
  const many = within(others, known.opponents || usual);
  const asks = roles.length ? "How many seats" : "How many opponents";
  const few = choice({ "aria-label": asks }, counts, many);
  const kept = game.levels.find((one) => one.name === known.level) ?? game.levels[0];
  const level = choice({ "aria-label": "Level of the opponents" }, levels(game), kept.name);
  const as = roles.length ? choice({ "aria-label": "Whom you play" }, roles, known.role ?? game.roles[0]) : null;
  const begin = () => playNow(game, Number(few.value), level.value, as?.value);
  const play = h("button.primary", { onclick: () => busy(play, begin) }, "Play now");
  const look = h("button", { onclick: () => busy(look, () => watch(game)) }, "Watch");
  const friends = h("button", { onclick: () => askFriends($("friends"), game) }, "With friends");
  const picture = h("div.picture", { "aria-hidden": "true" });
  const state = h("p.quiet", { role: "status" });
  show(game, picture, state);
  return h("article.card", { "data-game": game.name }, picture,
    h("div.words", {},
      h("h2", {}, game.title),
      as
        ? h("p.against", {}, "You as ", as, " at a table of ", few, " with ", level, " company")
        : h("p.against", {}, "You against ", few, " ", level),
      h("div.row", {}, play, friends, look),
      state));
}

/** Draw a game as it looks in the middle; the first time its rules have to be compiled. */
async function show(game, picture, state) {
  if (!game.ready) state.textContent = COMPILING;
  picture.classList.add("coming");
  try {
    picture.innerHTML = await ask(`/api/games/${game.name}/picture.svg`);
    state.textContent = "";
  } catch {
    state.textContent = "This game cannot be drawn at the moment.";
  }
  picture.classList.remove("coming");
}

async function games() {
  const section = $("games");
  try {
    fill(section, (await ask("/api/games")).map(card));
    delete section.dataset.missing;
  } catch (refused) {
    section.dataset.missing = "yes";
    const words = [h("p", {}, refused.message), h("p.quiet", {}, "This page tries again by itself.")];
    fill(section, h("article.card", {}, h("div.picture"), h("div.words", {}, words)));
  }
  section.removeAttribute("aria-busy");
}

// --- tables ---

function openTable(table) {
  const { id, title, name, seats, status } = table;
  const free = seats.filter((one) => one.kind === "open").length;
  const state = status === "waiting" ? `${free} of ${seats.length} seats free` : "playing";
  const person = (seat, n) => seat.kind !== "open" && h("span.who", {}, mark(n), called(table, n));
  return h("li", {},
    h("a", { href: `/table/${id}` },
      h("b", {}, name || title),
      h("span.quiet", {}, `${title}, ${state}`),
      h("span.people", {}, seats.map(person))),
    h("span.tag", {}, free && status === "waiting" ? "Join" : "Watch"));
}

async function tables() {
  try {
    const rows = (await ask("/api/tables")).slice(0, 20).map(openTable);
    fill($("tables"), rows.length ? rows : h("li.quiet", {}, NOBODY));
    if ($("games").dataset.missing) await games();
  } catch (refused) {
    fill($("tables"), h("li.quiet", {}, refused.message));
  }
}

function myTable({ id, title, name, status, when }) {
  const over = status === "over";
  const drop = () => (forget(id), mine());
  const words = `${name ? `${title}, ` : ""}${over ? "over" : "going on"} · ${ago(when)}`;
  return h("li", {},
    h("a", { href: `/${over ? "replay" : "table"}/${id}` },
      h("b", {}, name || title),
      h("span.quiet", {}, words)),
    h("button.small", { "aria-label": "Forget this table", title: "Forget", onclick: drop }, "×"));
}

function mine() {
  const rows = recent().map(myTable);
  const none = h("li.quiet", {}, "The tables you sit at will be found here again.");
  fill($("recent"), rows.length ? rows : none);
}

// --- the ladder ---

const TOP = 10;

async function ladder() {
  const rungs = await ask("/api/ladder").catch(() => []);
  const names = [...new Set(rungs.map((one) => one.game))];
  const row = ({ name, kind, games, rating, error }, n) => h("tr", {},
    h("td.num", {}, n + 1),
    h("th", { scope: "row" }, name, kind === "agent" ? h("span.quiet", {}, " agent") : ""),
    h("td.num", {}, `${games} ${games === 1 ? "game" : "games"}`),
    h("td.num", {}, `${rating} ± ${error}`));
  const one = (game) => h("table.standings", { "aria-label": game },
    h("tbody", {}, rungs.filter((rung) => rung.game === game).slice(0, TOP).map(row)));
  $("ladder").hidden = !names.length;
  fill($("ladder").querySelector(".columns"), names.map((game) => h("div", {}, h("h3", {}, game), one(game))));
}

// --- records ---

async function upload({ target }) {
  const [file] = target.files;
  if (!file) return;
  notice("");
  try {
    const { table } = await ask("/api/records", await file.text());
    location.href = `/replay/${table}`;
  } catch (refused) {
    notice(`${file.name} could not be opened. ${refused.message}`);
  }
  target.value = "";
}

$("name").value = myName();
$("name").addEventListener("change", (event) => callMe(event.target.value));
$("record").addEventListener("change", upload);
mine();
games().then(tables);
setInterval(() => document.hidden || tables(), EVERY);
addEventListener("pageshow", (event) => event.persisted && (mine(), tables()));
ladder();
