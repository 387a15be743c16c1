/**
 * The lab: a small tournament from a form that reads like a sentence, and its live table.
 *
 * POST /api/lab {game, agents, games, players} answers {run}; GET /api/lab lists all runs, and
 * GET /api/lab/{run} is one: {run, game, title, agents, status: "playing" | "done" | "failed",
 * played, games, started, fair, left, error, rows: [{agent, games, share, low, high}],
 * report: address or null}.
 */
import { ask } from "./api.js";
import { $, choice, copy, fill, h, tell } from "./dom.js";
import { range } from "./opening.js";
import { duration, percent } from "./words.js";

const EVERY = 1000;
const GAMES = [20, 50, 100, 200, 500];

let watched = null;

const notice = (words) => tell($("notice"), words);

// --- the sentence ---

function plan(games) {
  const which = choice({ "aria-label": "Game" }, games.map((one) => [one.name, one.title]));
  const who = h("span", { role: "group", "aria-label": "Agents" });
  const few = choice({ "aria-label": "Players at a table" }, []);
  const many = choice({ "aria-label": "Games of each line-up" }, GAMES.map((n) => [n, n]), 100);
  const command = h("code.command");
  const copied = () => copy(copying, command.textContent);
  const copying = h("button.small", { type: "button", onclick: copied }, "Copy");
  const go = h("button.primary", {}, "Let them play");

  const game = () => games.find((one) => one.name === which.value);
  const chosen = () => [...who.querySelectorAll("select")].map((one) => one.value);
  const wish = () => ({
    game: which.value,
    agents: chosen(),
    games: Number(many.value),
    players: Number(few.value),
  });

  const say = () => {
    const { game: name, agents, games: count, players } = wish();
    const words = ["kostka tournament", name, ...agents, "--games", count, "--players", players];
    command.textContent = words.join(" ");
    go.disabled = new Set(agents).size < players;
    go.title = go.disabled ? `A table of ${players} needs as many different agents` : "";
  };
  const add = (value) => {
    const kinds = game().agents.map((one) => [one.name, one.name, one.help]);
    const kind = choice({ "aria-label": "Agent", onchange: say }, kinds, value);
    const drop = () => {
      if (who.children.length > 2) both.remove();
      say();
    };
    const given = { type: "button", "aria-label": "Leave this agent out", onclick: drop };
    const both = h("span.agent", {}, kind, h("button.small", given, "×"));
    who.append(both);
    say();
  };
  const another = () => {
    const taken = new Set(chosen());
    const fresh = game().agents.find((one) => !taken.has(one.name)) ?? game().agents[0];
    add(fresh.name);
  };
  const begin = () => {
    const sizes = range(...game().players).map((n) => [n, n]);
    who.replaceChildren();
    fill(few, [...choice({}, sizes).children]);
    few.value = String(game().players[0]);
    for (const one of game().agents.slice(0, 3)) add(one.name);
  };

  const more = h("button.small", { type: "button", onclick: another }, "+ another");
  which.addEventListener("change", begin);
  many.addEventListener("change", say);
  few.addEventListener("change", say);
  begin();
  fill(
    $("plan"),
    h("p.spoken", {}, "Let ", who, more, " play ", which, ", ", few, " at a table, ", many,
      " games of each line-up, seats rotated."),
    h("div.row", {}, go, h("span.quiet", {}, "or in a terminal:"), command, copying),
  );
  $("plan").onsubmit = async (event) => {
    event.preventDefault();
    go.disabled = true;
    notice("");
    try {
      const { run } = await ask("/api/lab", wish());
      watch(run);
    } catch (refused) {
      notice(`${refused.message} The command for a terminal does the same.`);
    }
    go.disabled = false;
  };
}

// --- the live table ---

/** Watch a run until it is done. */
async function watch(run) {
  watched = run;
  history.replaceState(null, "", `#${encodeURIComponent(run)}`);
  while (watched === run) {
    try {
      const found = await ask(`/api/lab/${encodeURIComponent(run)}`);
      notice("");
      show(found);
      if (found.status !== "playing") return runs();
    } catch (refused) {
      notice(refused.message);
      if (refused.status) return;
    }
    await new Promise((done) => setTimeout(done, EVERY));
  }
}

const names = ({ title, agents }) => `${title}: ${agents.join(", ")}`;

function show(found) {
  const { status, played, games, fair, left, error, rows, report } = found;
  const time = left ? `, about ${duration(left)} to go` : "";
  const state = {
    playing: `${played} of ${games} games played${time}`,
    done: `All ${games} games played.`,
    failed: error || "It could not be finished.",
  };
  const head = ["", "Agent", "Games", "Share", "with its interval"];
  const bar = { max: games, value: played, "aria-label": "Games played" };
  $("run").hidden = false;
  fill(
    $("run"),
    h("h2", {}, names(found)),
    h("p.quiet", {}, state[status]),
    status === "playing" && h("progress", bar),
    h("table.standings", {},
      h("thead", {}, h("tr", {}, head.map((words) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, rows.map((one, n) => standing(one, n, fair)))),
    report && h("p", {}, h("a.button", { href: report }, "Open the report")),
  );
}

/** A row; its bar goes from nothing to all, with a line where equals would be. */
function standing({ agent, games, share, low, high }, n, fair) {
  const style = `--low: ${low ?? share}; --high: ${high ?? share}; --share: ${share}`;
  const title = low === null ? null : `${percent(low)} to ${percent(high)}`;
  const among = { style: `--fair: ${fair}`, title: `${percent(fair)} among equals` };
  return h("tr", {},
    h("td.num", {}, n + 1),
    h("th", { scope: "row" }, agent),
    h("td.num", {}, games),
    h("td.num", {}, share === null ? "" : percent(share)),
    h("td.bar", {}, share !== null && h("span.interval", { style, title },
      fair && h("i.fair", among))));
}

const WHEN = { dateStyle: "medium", timeStyle: "short" };
const day = (when) => new Date(when).toLocaleString("en-GB", WHEN);

async function runs() {
  const row = (one) => {
    const open = (event) => (event.preventDefault(), watch(one.run));
    return h("li", {},
      h("a", { href: `#${encodeURIComponent(one.run)}`, onclick: open },
        h("b", {}, names(one)),
        h("span.quiet", {}, `${one.played} of ${one.games} games, ${day(one.started)}`)),
      one.report && h("a.tag", { href: one.report }, "Report"));
  };
  try {
    const rows = (await ask("/api/lab")).map(row);
    const none = h("li.quiet", {}, "Nothing has been measured on this server yet.");
    fill($("runs"), rows.length ? rows : none);
  } catch {
    fill($("runs"), h("li.quiet", {}, "The runs of this server cannot be listed at the moment."));
  }
}

try {
  plan(await ask("/api/games"));
} catch (refused) {
  notice(refused.message);
  fill($("plan"), h("p.quiet", {}, "Reload the page once the server is back."));
}
runs();
if (location.hash.length > 1) watch(decodeURIComponent(location.hash.slice(1)));
