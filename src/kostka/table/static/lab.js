/**
 * The lab: a small tournament from a form that reads like a sentence, and its live table.
 *
 * POST /api/lab {game, agents, games, players, options} answers {run};
 * GET /api/lab lists runs, GET /api/lab/{run} is one:
 * {run, game, title, agents, status: "playing" | "done" | "failed", played, games, left, error,
 *  rows: [{agent, games, share, low, high}], report: address or null}.
 */
import { ask } from "./api.js";
import { $, copy, fill, h, tell } from "./dom.js";
import { range } from "./opening.js";
import { percent } from "./look.js";

const EVERY = 1000;
const GAMES = [20, 50, 100, 200, 500];

let games = [];
let watched = null;

const notice = (words) => tell($("notice"), words);

// --- the sentence ---

function plan() {
  const which = h("select", { "aria-label": "Game" }, games.map((one) => h("option", { value: one.name }, one.title)));
  const who = h("span.agents", { role: "group", "aria-label": "Agents" });
  const few = h("select", { "aria-label": "Players at a table" });
  const many = h("select", { "aria-label": "Games of each line-up" }, GAMES.map((n) => h("option", { value: n }, n)));
  const command = h("code.command");
  const copying = h("button.small", { type: "button", onclick: () => copy(copying, command.textContent) }, "Copy");
  const go = h("button.primary", {}, "Let them play");
  many.value = "100";
  const game = () => games.find((one) => one.name === which.value);
  const chosen = () => [...who.querySelectorAll("select")].map((one) => one.value);
  const wish = () => ({ game: which.value, agents: chosen(), games: Number(many.value), players: Number(few.value) });
  const say = () => {
    const { game: name, agents, games: n, players } = wish();
    command.textContent = `kostka tournament ${name} ${agents.join(" ")} --games ${n}${players === 2 ? "" : ` --players ${players}`}`;
    go.disabled = new Set(agents).size < players;
    go.title = go.disabled ? `A table of ${players} needs as many different agents` : "";
  };
  const add = (value) => {
    const one = h("select", { "aria-label": "Agent", onchange: say }, game().agents.map((kind) => h("option", { value: kind.name, title: kind.help }, kind.name)));
    one.value = value;
    const off = h("button.small", { type: "button", "aria-label": `Without ${value}`, title: "Leave out", onclick: () => { if (who.children.length > 2) who.removeChild(both); say(); } }, "×");
    const both = h("span.agent", {}, one, off);
    who.append(both);
    say();
  };
  const fresh = () => {
    const kinds = game().agents.map((one) => one.name);
    who.replaceChildren();
    fill(few, range(...game().players).map((n) => h("option", { value: n }, n)));
    few.value = String(game().players[0]);
    kinds.slice(0, 3).forEach(add);
  };
  const more = h("button.small", { type: "button", onclick: () => add(game().agents.find((one) => !chosen().includes(one.name))?.name ?? game().agents[0].name) }, "+ another");
  which.addEventListener("change", fresh);
  many.addEventListener("change", say);
  few.addEventListener("change", say);
  fill($("plan"),
    h("p.spoken", {}, "Let ", who, " ", more, " play ", which, ", ", few, " at a table, ", many, " games of each line-up, seats rotated."),
    h("div.row", {}, go, h("span.quiet", {}, "the same in a terminal:"), command, copying));
  $("plan").onsubmit = async (event) => {
    event.preventDefault();
    go.disabled = true;
    notice("");
    try {
      watch((await ask("/api/lab", wish())).run);
    } catch (refused) {
      notice(`${refused.message} The command below does the same.`);
    }
    go.disabled = false;
  };
  fresh();
}

// --- the live table ---

async function watch(run) {
  watched = run;
  history.replaceState(null, "", `#${encodeURIComponent(run)}`);
  while (watched === run) {
    let found;
    try {
      found = await ask(`/api/lab/${encodeURIComponent(run)}`);
      show(found);
    } catch (refused) {
      notice(refused.message);
      if (!found) return;
    }
    if (found && found.status !== "playing") return runs();
    await new Promise((done) => setTimeout(done, EVERY));
  }
}

function show(found) {
  const left = found.left ? `, about ${duration(found.left)} to go` : "";
  const state = { playing: `${found.played} of ${found.games} games played${left}`, done: `All ${found.games} games played.`, failed: found.error || "It could not be finished." };
  const most = Math.max(0.0001, ...found.rows.map((one) => one.high ?? one.share ?? 0));
  const rows = found.rows.map((one, n) => h("tr", {}, h("td.num", {}, n + 1), h("th", { scope: "row" }, one.agent), h("td.num", {}, one.games),
    h("td.num", {}, one.share === null ? "" : percent(one.share)),
    h("td.bar", {}, one.share === null ? null : h("span.interval", { style: `--low: ${(one.low ?? one.share) / most}; --high: ${(one.high ?? one.share) / most}; --share: ${one.share / most}`, title: one.low === null ? "" : `${percent(one.low)} to ${percent(one.high)}` }))));
  const head = ["", "Agent", "Games", "Share", "with its interval"].map((words) => h("th", { scope: "col" }, words));
  const section = $("run");
  section.hidden = false;
  fill(section, h("h2", {}, `${found.title}: ${found.agents.join(", ")}`),
    h("p.quiet", {}, state[found.status]),
    found.status === "playing" && h("progress", { max: found.games, value: found.played, "aria-label": "Games played" }),
    h("table.standings", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
    found.report && h("p", {}, h("a.button", { href: found.report }, "Open the report")));
}

function duration(seconds) {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}

async function runs() {
  try {
    const found = await ask("/api/lab");
    const rows = found.map((one) => h("li", {}, h("a", { href: `#${encodeURIComponent(one.run)}`, onclick: (event) => { event.preventDefault(); watch(one.run); } },
      h("b", {}, `${one.title}: ${one.agents.join(", ")}`), h("span.quiet", {}, `${one.played} of ${one.games} games`)), one.report && h("a.tag", { href: one.report }, "Report")));
    fill($("runs"), rows.length ? rows : h("li.quiet", {}, "Nothing has been measured on this server yet."));
  } catch {
    fill($("runs"), h("li.quiet", {}, "The runs of this server cannot be listed at the moment."));
  }
}

try {
  games = await ask("/api/games");
  plan();
} catch (refused) {
  notice(refused.message);
  fill($("plan"), h("p.quiet", {}, "Nothing can be planned without the server; reload the page once it is back."));
}
runs();
if (location.hash.length > 1) watch(decodeURIComponent(location.hash.slice(1)));
