/** The table page: brings connection, board, panel and replay together. */
import { ask, sentence } from "./api.js";
import { Board } from "./board.js";
import { Clicks, isButton } from "./clicks.js";
import { $, copy, fill, h, keepFocus, save, tell, writing } from "./dom.js";
import { Effects } from "./effects.js";
import { called, points } from "./look.js";
import { askName, makeMenu, showKeys, sure } from "./menu.js";
import { callMe, dropToken, keepSeats, myName, remember, seatsAt } from "./memory.js";
import { entries, ledger, Log, showList, showTalk, spoken, thoughts } from "./panel.js";
import { savePng, saveSvg } from "./picture.js";
import { setClock, showPlayers } from "./players.js";
import { Replay } from "./replay.js";
import { Seat } from "./seat.js";
import { showRoom } from "./waiting.js";

/** More buttons than this are better found in the list. */
const MANY = 9;

const root = $("table");
const id = root.dataset.table;
const given = new URLSearchParams(location.search);

const seats = [];
let current = null;
let shown = null; // the position on the board: the present one, a draft, or one of the past
let clicks = new Clicks();
let drafts = []; // decisions that are tried and not told, and those on their way to be
let tried = [];
let waiting = false; // for the server's answer to a draft or an action
let thinking = null;
let hint = null;
let hidden = false; // do seats see different things?
let analysis = null;
let back = null; // while looking back: {asked} is on its way, {wanted} comes after it

const board = new Board($("drawing"), clicked, hovered);
const effects = new Effects(board);
const log = new Log($("log"), (at) => lookBack(at));
const replay = new Replay($("replay"), (at, whose) => look(at, whose), () => follow());

const mine = () => new Map(seats.filter((one) => one.number !== null).map((one) => [one.number, one]));
const yours = () => !back && current?.position && current.number !== null && current.position.mover === current.number;
const complain = (words) => tell($("line"), words ? sentence(words) : "");

// --- the connection ---

function connect() {
  const hash = new URLSearchParams(location.hash.slice(1)).get("token");
  if (hash) history.replaceState(null, "", location.pathname + location.search);
  const tokens = new Set([...Object.values(seatsAt(id)), ...(hash ? [hash] : [])]);
  for (const token of tokens) seats.push(new Seat(id, token, heard, line));
  if (!tokens.size) seats.push(new Seat(id, null, heard, line));
  current = seats[0];
  setTimeout(() => shown || current.table || fill($("sentence"), "The table is being set. The first time, the rules are made fast; that takes a minute."), 1500);
}

function line() {
  const open = seats.every((one) => one.open);
  root.classList.toggle("offline", !open);
  $("connection").textContent = open ? "" : "Reconnecting …";
}

/** Take up a seat that was just given. */
function sitDown(token) {
  const watching = seats.findIndex((one) => one.token === null);
  if (watching >= 0) seats.splice(watching, 1)[0].line.end();
  const seat = new Seat(id, token, heard, line);
  seats.push(seat);
  if (seats.length === 1) current = seat;
}

/** A seat is not ours, or not any more. */
function standUp(seat) {
  dropToken(id, seat.token);
  seat.line.end();
  seats.splice(seats.indexOf(seat), 1);
  if (!seats.length) seats.push(new Seat(id, null, heard, line));
  if (current === seat) current = seats[0];
}

const hearing = {
  table(seat) {
    if (seat.token && seat.number === null) return standUp(seat);
    if (seat.token) keepSeats(id, [{ seat: seat.number, token: seat.token }]);
    if (current.table) refresh();
    if (seat !== current) return;
    remember(seat.table);
    if (seat.table.status === "over") analyse();
  },
  events(seat, { past }) {
    if (seat !== current) return;
    if (past) seat.unseen = [];
    showLog();
  },
  position(seat, message) {
    if (message.replay) return seat === current && back && looked(message);
    thinking = null;
    if (seat === current) arrive();
    else handOver();
  },
  chat(seat) {
    if (seat === current) showTalk(seat.table, seat.talk);
  },
  thinking(seat, message) {
    thinking = message.seat;
    if (seat === current && !back) showPlayers($("players"), seat.table, shown, mine(), thinking);
  },
  drafted(seat, message) {
    if (seat !== current || !waiting) return;
    if (message.done) return send({ type: "act", at: message.at, actions: message.draft });
    waiting = false;
    drafts = tried;
    present(message);
  },
  hint(seat, message) {
    if (message.at !== current.position?.at) return;
    hint = message.actions;
    refresh();
    board.point(hint[0]?.clicks);
  },
  error(seat, message) {
    if (message.re === "hello" && seat.token) {
      standUp(seat);
      complain("This right to a seat is not valid here; you are watching");
    } else if (message.re === "hello") gone(message.error);
    else {
      if (message.re === "act" || message.re === "draft") {
        waiting = false;
        arrive();
      }
      complain(message.error);
    }
  },
};

function heard(seat, message) {
  if (!seats.includes(seat)) return;
  if (message.type === "events" && !message.past) (seat.unseen ??= []).push(...message.events);
  hearing[message.type]?.(seat, message);
}

function send(message) {
  const sent = current.send(message);
  if (!sent) complain("There is no connection at the moment; it comes back by itself");
  return sent;
}

/** There is nothing here to connect to. */
function gone(why) {
  $("title").textContent = "No table here";
  root.classList.add("gone");
  $("connection").textContent = "";
  tell($("says"), "");
  fill($("sentence"), sentence(why));
  fill($("buttons"), h("a.button", { href: "/" }, "Back to the games"));
  for (const part of root.querySelectorAll(".log, .chat, .list")) part.hidden = true;
}

// --- the present position ---

let arriving = false;
let again = false;

/** A new position has come: first what led to it is shown, then the position itself. */
async function arrive() {
  if (back) {
    replay.update(current.table, current.position.at, mine());
    return;
  }
  again = true;
  if (arriving) return;
  arriving = true;
  while (again && !back) {
    again = false;
    const news = (current.unseen || []).splice(0);
    const shows = news.flatMap((one) => one.effects || []);
    const own = news.some((one) => mine().has(one.by));
    const seat = current;
    if (shown && !document.hidden) await effects.before(shows, own);
    if (seat !== current || back) continue;
    waiting = false;
    drafts = [];
    hint = null;
    complain("");
    present(seat.position);
    const words = document.hidden ? [] : effects.after(shows);
    if (words.length) say(words.join("; "));
  }
  arriving = false;
  handOver();
}

/** Show a position: the present one or a draft. */
function present(position) {
  shown = position;
  clicks = new Clicks(position.legal);
  board.show({ ...position, backdrop: current.backdrop });
  if (position.type === "position") setClock($("players"), position.mover, position.mover >= 0 ? position.clock : null);
  refresh();
}

/** Everything around the board. */
function refresh() {
  const { table } = current;
  if (!table) return;
  const waits = table.status === "waiting";
  $("room").hidden = !waits;
  $("drawing").hidden = waits;
  root.querySelector(".zoom").hidden = waits || !shown;
  Object.assign(root.dataset, { status: table.status, at: shown?.at ?? "", turn: may() ? "yours" : "" });
  $("title").textContent = table.name || table.title;
  document.title = `${yours() ? "Your turn – " : ""}${table.title} – Kostka`;
  showPlayers($("players"), table, shown, mine(), back ? undefined : thinking);
  if (waits) {
    keepFocus($("room"), () => showRoom($("room"), table, mine(), { sit, ready, leave }));
    fill($("sentence"), mine().size ? "Waiting for everybody to sit down and be ready." : "This game has not begun yet.");
  } else if (table.status === "over" && !shown && !current.position) fill($("sentence"), "Nobody played here; the table is closed.");
  else if (shown) $("sentence").textContent = shown.words || "";
  showButtons();
  showActions();
  showSide();
  showTalk(table, current.talk);
  if (table.status !== "waiting" && current.position) {
    $("replay").hidden = !(back || table.status === "over");
    replay.update(table, current.position.at, mine());
    if (!back) replay.show((replay.at = current.position.at));
  }
}

function showLog() {
  log.show(current.table, current.events);
  replay.setStops(entries(current.events).map((one) => one.to));
}

// --- clicks ---

const may = () => yours() && !waiting && !current.table.seats[current.number].resigned;

function showActions() {
  const legal = may() ? shown.legal : [];
  if (legal.filter((one) => isButton(one.clicks[0])).length > MANY) $("list").open = true;
  showList(legal, decideInList, (path) => board.point(path));
  light();
}

/** From the list the focus goes back to the board. */
function decideInList(action) {
  document.activeElement.blur();
  board.focusNext = action.clicks[0];
  decide(action);
}

function light() {
  const next = may() ? clicks.next() : new Map();
  board.light(next.keys(), may() ? clicks.path : [], (thing) => (next.get(thing)?.length === 1 ? next.get(thing)[0].words : ""));
}

function clicked(element) {
  if (back) return complain("You are looking back; follow the game to play on");
  if (!may()) return current.number !== null && !waiting && why([element]);
  const answer = clicks.click(element);
  if (answer.action) decide(answer.action);
  else if (answer.refused) why(answer.refused);
  else {
    complain("");
    showButtons();
    light();
    hovered(element);
  }
}

const why = (path) => send({ type: "why", at: current.position.at, clicks: path });

/** Take an action: tried as a draft first; where nothing can follow it, it is done at once. */
function decide(action) {
  complain("");
  board.point([]);
  if (!draft([...drafts, action])) return;
  clicks = new Clicks();
  tell($("says"), "");
  showButtons();
  light();
}

/** Ask what decisions would lead to. */
function draft(actions) {
  tried = actions;
  waiting = send({ type: "draft", at: current.position.at, actions: actions.map((one) => one.action) });
  return waiting;
}

function confirmDrafts() {
  waiting = send({ type: "act", at: current.position.at, actions: drafts.map((one) => one.action) });
  refresh();
}

/** One step back: a click, or a draft. */
function undo() {
  complain("");
  if (!may()) return;
  if (clicks.back()) {
    showButtons();
    light();
  } else if (drafts.length > 1) {
    draft(drafts.slice(0, -1));
  } else if (drafts.length) {
    drafts = [];
    present(current.position);
  }
}

let said = 0;

function hovered(thing) {
  if (performance.now() < said) return;
  if (!thing || !may()) return tell($("says"), "");
  const found = clicks.next().get(thing);
  if (found?.length === 1) tell($("says"), sentence(found[0].words));
  else if (found) tell($("says"), sentence(`${board.name(thing)}; ${found.length} choices`));
  else if (clicks.path.includes(thing)) tell($("says"), "Click it again to take it back.");
  else tell($("says"), "");
}

function say(words) {
  tell($("says"), sentence(words));
  said = performance.now() + 1800;
  setTimeout(() => performance.now() >= said && tell($("says"), ""), 1900);
}

// --- the buttons beside the board ---

function showButtons() {
  const { table } = current;
  const made = [];
  let key = 0;
  const hot = (words, act, given = {}) => {
    key += 1;
    made.push(h("button", { "data-key": key, onclick: act, ...given }, words, key < 10 && h("kbd", {}, key)));
  };
  if (may()) {
    if (clicks.amounts()) made.push(amount(clicks.amounts()));
    if (drafts.length) {
      made.push(h("p.quiet", {}, `Drafted, and told to nobody yet: ${drafts.map((one) => one.words).join(", ")}.`));
      made.push(h("button.primary", { id: "confirm", onclick: confirmDrafts }, drafts.length === 1 ? "Confirm" : `Confirm ${drafts.length} decisions`, h("kbd", {}, "Enter")));
    }
    const beside = [...new Map([...new Clicks(shown.legal).next(), ...clicks.next()])].filter(([element]) => isButton(element));
    if (beside.length > MANY) made.push(h("p.quiet", {}, "Choose from the list of actions."));
    else for (const [element, actions] of beside) {
      hot(actions.length === 1 ? spoken(actions[0].words) : element.slice(1), () => clicked(element), { "data-click": element });
    }
    if (clicks.path.length || drafts.length) made.push(h("button", { id: "undo", onclick: undo }, "Undo", h("kbd", {}, "Esc")));
  }
  if (back && table.status === "playing") made.push(h("button.primary", { onclick: () => follow() }, "Back to the present"));
  if (table.status === "over") {
    if (mine().size && current.position) made.push(h("button.primary", { id: "rematch", onclick: rematch }, table.next ? "To the rematch" : "Play again"));
    else if (table.next) made.push(h("a.button", { href: `/table/${table.next}` }, "Watch the rematch"));
    made.push(h("a.button", { href: "/" }, "All games"));
  }
  if (table.status === "playing" && !mine().size && !back) made.push(h("p.quiet", {}, "You are watching."));
  keepFocus($("buttons"), () => fill($("buttons"), made));
}

/** A slider and a field for an amount. */
function amount(values) {
  const [low, high] = [values[0], values.at(-1)];
  const slide = h("input", { type: "range", min: low, max: high, value: high, "aria-label": "How many" });
  const field = h("input", { type: "number", min: low, max: high, value: high, "aria-label": "How many, as a number" });
  const words = h("output.quiet");
  const nearest = (n) => values.reduce((a, b) => (Math.abs(b - n) < Math.abs(a - n) ? b : a));
  const set = (n, from) => {
    const value = nearest(Number(n));
    if (from !== slide) slide.value = value;
    if (from !== field) field.value = value;
    words.textContent = clicks.byAmount(value)?.words || "";
  };
  slide.oninput = () => set(slide.value, slide);
  field.oninput = () => set(field.value, field);
  const choose = (event) => {
    event.preventDefault();
    clicked({ amount: [low, high, nearest(Number(field.value))] });
  };
  set(high);
  setTimeout(() => field.isConnected && field.select());
  return h("form.amount", { onsubmit: choose }, h("div.row", {}, slide, field, h("button.primary", {}, "Choose", h("kbd", {}, "Enter"))), words);
}

// --- beside the log: hints, what agents considered, luck ---

function showSide() {
  const parts = [];
  if (hint && !back) parts.push(thoughts("A strong agent would consider", hint, null, (path) => board.point(path)));
  if (analysis && (back || current.table.status === "over")) {
    const at = back ? replay.at : current.position.at;
    const found = analysis.considered.find((one) => one.at === at);
    if (found) parts.push(thoughts(`${called(current.table, found.by)} considered here`, found.actions, found.did, (path) => board.point(path)));
    parts.push(ledger(current.table, analysis, current.table.result, points), replay.turning(current.events));
  }
  fill($("side"), parts);
}

async function analyse() {
  if (analysis || !current.table.result) return;
  analysis = false;
  replay.waiting("Working out what everybody could expect …");
  try {
    const found = await ask(`/api/tables/${id}/analysis`);
    analysis = found;
    replay.draw(found, current.events);
    showSide();
  } catch (refused) {
    replay.waiting(refused.message);
  }
}

// --- looking back ---

function lookBack(at, whose) {
  if (!current.position) return;
  if (!back) {
    back = { asked: false, wanted: null };
    const over = current.table.status === "over";
    replay.whose = whose !== undefined ? whose : over ? "all" : current.number;
    replay.eyes.value = replay.whose === null ? "" : String(replay.whose);
  }
  replay.update(current.table, current.position.at, mine());
  replay.go(at);
}

function look(at, whose) {
  if (!back) return lookBack(at);
  if (back.asked) back.wanted = [at, whose];
  else back.asked = send({ type: "look", at, as: whose });
  const address = `${location.pathname}?at=${at}${whose === null ? "" : `&as=${whose}`}`;
  if (root.dataset.mode === "replay") history.replaceState(null, "", address);
}

/** The server has shown a position of the past. */
function looked(position) {
  back.asked = false;
  const wanted = back.wanted;
  back.wanted = null;
  shown = position;
  clicks = new Clicks();
  board.show({ ...position, backdrop: current.backdrop });
  refresh();
  const entry = entries(current.events).findLast((one) => one.to <= position.at);
  log.mark(entry ? entry.to : null);
  if (wanted && (wanted[0] !== position.at || wanted[1] !== (position.as ?? null))) look(...wanted);
}

/** Back to the present. */
function follow() {
  replay.stop();
  back = null;
  log.mark(null);
  complain("");
  current.unseen = [];
  present(current.position);
  arrive();
}

// --- several people at one screen ---

/** If another seat of this screen is to move, it is his turn to look. */
function handOver() {
  if (back || !current.position || arriving) return;
  const next = mine().get(current.position.mover);
  if (!next || next === current || next.position?.at !== current.position.at) return;
  const change = () => {
    current = next;
    current.unseen = [];
    $("curtain").hidden = true;
    root.classList.remove("curtained");
    showLog();
    present(current.position);
  };
  if (!hidden) return change();
  const name = called(current.table, next.number);
  fill($("curtain"), h("p", {}, `${name} is next. Everybody else looks away.`), h("button.primary", { onclick: change }, `I am ${name}`));
  $("curtain").hidden = false;
  root.classList.add("curtained");
  $("curtain").querySelector("button").focus();
}

// --- sitting down, getting up, once more ---

async function sit(seat) {
  try {
    const name = mine().size ? await askName("Who else plays at this screen?") : myName() || (await askName("What are you called?"));
    if (name === null) return;
    if (!mine().size) callMe(name);
    const made = await ask(`/api/tables/${id}/join`, { seat, name });
    keepSeats(id, made.seats);
    sitDown(made.token);
  } catch (refused) {
    complain(refused.message);
  }
}

const ready = (yes) => seats.forEach((one) => one.number !== null && one.send({ type: "ready", ready: yes }));
const leave = () => seats.forEach((one) => one.number !== null && one.send({ type: "leave" }));

async function rematch() {
  try {
    const taken = [...mine().values()];
    const made = await ask(`/api/tables/${id}/rematch`, {}, taken[0].token);
    const count = current.table.seats.length;
    keepSeats(made.table, taken.map((one) => ({ seat: (one.number + 1) % count, token: one.token })));
    location.href = `/table/${made.table}`;
  } catch (refused) {
    complain(refused.message);
  }
}

async function record() {
  try {
    const over = current.table.status === "over";
    const of = over || current.number === null ? "" : `?seat=${current.number}`;
    save(`${current.table.game}-${id}.jsonl`, await ask(`/api/tables/${id}/record${of}`, undefined, current.token), "application/jsonl");
  } catch (refused) {
    complain(refused.message);
  }
}

async function resign() {
  if (await sure("Give up this game?", "Give up")) send({ type: "resign" });
}

function askHint() {
  if (may() && current.table.casual && send({ type: "hint" })) say("A strong agent thinks for you");
}

makeMenu(() => {
  const { table } = current;
  if (!table) return [["All games", () => (location.href = "/")]];
  const playing = table.status === "playing";
  const name = `${table.game}-${shown?.at ?? 0}`;
  return [
    playing && table.casual && may() && ["Hint", askHint],
    current.position && !back && ["Look back", () => lookBack(current.position.at)],
    back && playing && ["Back to the present", follow],
    current.position && ["Download the record", record],
    shown?.box && ["Picture as SVG", () => saveSvg(board.svg, board.box, name)],
    shown?.box && ["Picture as PNG", () => savePng(board.svg, board.box, name)],
    ["Link for spectators", () => copy($("title"), `${location.origin}/table/${id}`)],
    current.token && ["Link to your seat", () => copy($("title"), `${location.origin}/table/${id}#token=${current.token}`)],
    playing && current.number !== null && ["Give up", resign],
    ["All games", () => (location.href = "/")],
  ];
});

// --- keys ---

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const looking = () => back || (current?.table?.status === "over" && current.position);

const keys = {
  "+": () => board.zoom(1.4),
  "=": () => board.zoom(1.4),
  "-": () => board.zoom(1 / 1.4),
  "−": () => board.zoom(1 / 1.4),
  0: () => board.zoom(0),
  "?": showKeys,
  h: askHint,
  r: () => lookBack(current.position?.at ?? 0),
  f: () => back && current.table.status === "playing" && follow(),
  c: () => $("say").querySelector("input").focus(),
  l: () => {
    $("list").open = true;
    $("list").querySelector("input").focus();
  },
  " ": () => (looking() ? replay.toggle() : false),
  Home: () => (looking() ? replay.go(0) : false),
  End: () => (looking() ? replay.go(replay.last) : false),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !current) return;
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    if (writing(event.target)) event.target.blur();
    return undo();
  }
  if (writing(event.target) || event.target.closest?.(".menu-items")) return;
  if (press(event)) event.preventDefault();
});

/** What a key does; true when it does something. */
function press(event) {
  const { key, target } = event;
  if (key in ARROWS) {
    if (target.matches?.("input, #log") || target.closest?.(".thoughts")) return false;
    const [dx, dy] = ARROWS[key];
    if (!looking()) return board.move(dx, dy);
    if (dx) replay.step(dx);
    return Boolean(dx);
  }
  const thing = board.under(target);
  if ((key === "Enter" || key === " ") && thing) return clicked(thing), true;
  if (target.matches?.("button, a, summary, .swing") && (key === "Enter" || key === " ")) return false;
  if (key === "Enter" && drafts.length && may()) return confirmDrafts(), true;
  const button = /^[1-9]$/.test(key) && $("buttons").querySelector(`[data-key="${key}"]`);
  if (button) return button.click(), true;
  const act = keys[key] || keys[key.toLowerCase()];
  return act ? act() !== false : false;
}

// --- the page itself ---

root.querySelector(".zoom").addEventListener("click", (event) => {
  const { zoom } = event.target.dataset;
  if (zoom !== undefined) board.zoom(Number(zoom));
});
$("help").addEventListener("click", showKeys);
$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.querySelector("input");
  if (field.value.trim() && send({ type: "chat", words: field.value })) field.value = "";
});

/** A link to a move opens it as soon as the game is known. */
function openLink() {
  const replaying = root.dataset.mode === "replay" || given.has("at");
  if (!replaying) return;
  const timer = setInterval(() => {
    if (!current.position || !current.table) return;
    clearInterval(timer);
    const whose = given.get("as");
    const over = current.table.status === "over";
    const eyes = whose === null ? (over ? "all" : current.number) : whose === "all" ? "all" : Number(whose);
    lookBack(given.has("at") ? Number(given.get("at")) : over ? 0 : current.position.at, eyes);
  }, 30);
}

connect();
openLink();
ask("/api/games").then((games) => {
  const find = () => (current.table ? (hidden = games.find((one) => one.name === current.table.game)?.hidden ?? false) : setTimeout(find, 100));
  find();
}, () => {});
