/** The table page: what the server says, and what is shown of it. */
import { ask } from "./api.js";
import { handOver, leave, letPlay, ready, sit } from "./company.js";
import { $, fill, h, keepFocus, lively } from "./dom.js";
import "./keys.js";
import { analyse, looked, openLink, showLog, showReplay, showSide } from "./looking.js";
import { called, colourName } from "./look.js";
import { showKeys } from "./menu.js";
import { dropToken, keepSeats, remember, seatsAt } from "./memory.js";
import { asked, board, complain, effects, id, mine, page, root, say, send, yours } from "./page.js";
import { showTalk } from "./panel.js";
import { setClock, showPlayers } from "./players.js";
import { Seat } from "./seat.js";
import {
  begun, clicked, drafted, hovered, may, settle, showActions, showButtons, showLast, take, turn,
} from "./turn.js";
import { showRoom } from "./waiting.js";
import { showWays } from "./ways.js";
import { sentence } from "./words.js";

/** Milliseconds after which somebody who waits is told why. */
const PATIENCE = 1500;
const SLOW =
  "The table is being set. The first time, the rules are made fast; that takes a minute.";

Object.assign(page, { refresh, speak, present, arrive, clicked, hovered, turned: turn });

// --- the connection ---

function connect() {
  const hash = new URLSearchParams(location.hash.slice(1)).get("token");
  if (hash) history.replaceState(null, "", location.pathname + location.search);
  const tokens = new Set([...Object.values(seatsAt(id)), ...(hash ? [hash] : [])]);
  for (const token of tokens) page.seats.push(new Seat(id, token, heard, line));
  if (!tokens.size) page.seats.push(new Seat(id, null, heard, line));
  page.current = page.seats[0];
  const slow = () => page.current.table || root.matches(".gone") || fill($("sentence"), SLOW);
  setTimeout(slow, PATIENCE);
}

function line() {
  const open = page.seats.every((one) => one.open);
  root.classList.toggle("offline", !open);
  $("connection").textContent = open ? "" : "Reconnecting …";
}

/** Take up a seat that was just given. */
function sitDown(token) {
  const { seats } = page;
  const watching = seats.findIndex((one) => one.token === null);
  if (watching >= 0) seats.splice(watching, 1)[0].line.end();
  seats.push(new Seat(id, token, heard, line));
  if (seats.length === 1) [page.current] = seats;
}

/** A seat is not ours, or not any more. */
function standUp(seat) {
  const { seats } = page;
  dropToken(id, seat.token);
  seat.line.end();
  seats.splice(seats.indexOf(seat), 1);
  if (!seats.length) seats.push(new Seat(id, null, heard, line));
  if (page.current === seat) [page.current] = seats;
}

/** There is nothing here to connect to. */
function gone(why) {
  root.classList.add("gone");
  $("title").textContent = "No table here";
  $("connection").textContent = "";
  fill($("sentence"), sentence(why));
  fill($("buttons"), h("a.button", { href: "/" }, "Back to the games"));
  for (const part of root.querySelectorAll(".log, .chat, .list")) part.hidden = true;
}

// --- what the server says ---

function heard(seat, message) {
  if (!page.seats.includes(seat)) return;
  if (message.type === "events" && !message.past) (seat.unseen ??= []).push(...message.events);
  if (message.type === "error") return refused(seat, message);
  if (message.type === "table") return aboutTable(seat);
  if (message.type === "position" && !message.replay) page.thinking = null;
  if (seat === page.current) hearing[message.type]?.(message);
  else if (message.type === "position") handOver();
}

const hearing = {
  events({ past }) {
    if (!past) return; // the log waits until the dice have fallen
    page.current.unseen = [];
    showLog();
  },
  position(message) {
    if (!message.replay) arrive();
    else if (page.back) looked(message);
  },
  chat() {
    showTalk(page.current.table, page.current.talk);
  },
  thinking({ seat }) {
    page.thinking = seat;
    if (!page.back) showBar();
  },
  drafted,
  hint({ at, actions }) {
    if (at !== page.current.position?.at) return;
    page.hint = actions;
    refresh();
    board.point(actions[0]);
  },
};

function aboutTable(seat) {
  if (seat.token && seat.number === null) return standUp(seat);
  if (seat.token) keepSeats(id, [{ seat: seat.number, token: seat.token }]);
  if (page.current.table) refresh();
  const unknown = page.seats.length > 1 || seat.table.status === "waiting";
  if (unknown && !page.levels) askAboutGame(seat.table);
  if (seat !== page.current) return;
  remember(seat.table);
  const { before, table } = seat;
  const gone = table.seats.findIndex((one, n) => one.resigned && before && !before.seats[n].resigned);
  if (gone >= 0 && table.status === "playing") {
    say(`${called(table, gone)} has given up; an agent plays on`);
  }
  if (seat.table.status === "over") analyse();
}

function refused(seat, { re, error }) {
  if (re === "hello" && !seat.token) return gone(error);
  if (re === "hello") {
    standUp(seat);
    return complain("This right to a seat is not valid here; you are watching");
  }
  if (re === "act" || re === "draft") {
    settle();
    present(seat.position);
  }
  complain(error);
}

// --- what is shown ---

let arriving = false;
let again = false;

/** A new position has come: first what led to it is shown, then the position itself. */
async function arrive() {
  again = true;
  if (page.back) {
    showLog();
    return showReplay();
  }
  if (arriving) return;
  arriving = true;
  while (again && !page.back) {
    again = false;
    const seat = page.current;
    const news = (seat.unseen || []).splice(0);
    const shows = document.hidden ? [] : news.flatMap((one) => one.effects || []);
    const own = news.some((one) => mine().has(one.by));
    if (page.shown) await effects.before(shows, own);
    showLog();
    if (seat !== page.current || page.back) continue;
    settle();
    present(seat.position);
    const words = effects.after(shows);
    if (words.length) say(words.join("; "));
  }
  arriving = false;
  openLink();
  handOver();
}

/** Show a position: the present one or a draft. */
function present(position) {
  page.shown = position;
  take(position);
  board.show({ ...position, backdrop: page.current.backdrop }, page.current.table.game);
  if (position.type === "position") {
    setClock($("players"), position.mover, position.mover >= 0 ? position.clock : null);
  }
  refresh();
}

/** Everything around the board. */
function refresh() {
  const { current, shown } = page;
  const { table } = current;
  const waits = table.status === "waiting";
  Object.assign(root.dataset, {
    status: table.status,
    at: shown?.at ?? "",
    turn: may() ? "yours" : "",
    asked: asked() && may() ? "yes" : "",
  });
  $("room").hidden = !waits;
  $("drawing").hidden = waits;
  root.querySelector(".zoom").hidden = waits || !shown?.box;
  $("last").disabled = !board.last().length;
  $("title").textContent = table.name || table.title;
  showAsked();
  const call = asked() ? "You are asked – " : "Your turn – ";
  document.title = `${yours() ? call : ""}${table.title} – Kostka`;
  speak();
  if (waits) keepFocus($("room"), showWaiting);
  showBar();
  showButtons();
  showWays();
  showActions();
  showSide();
  showReplay();
  showTalk(table, current.talk);
}

/** Whoever is asked in somebody else's turn is told so, also where the sentence is out of sight. */
function showAsked() {
  const { current, shown } = page;
  const words = root.dataset.asked && `You are asked, in ${called(current.table, shown.turn)}’s turn`;
  if ($("asked").textContent === words) return;
  const see = () => $("panel").scrollIntoView({ behavior: lively() ? "smooth" : "instant" });
  fill($("asked"), words && h("button", { onclick: see }, words)).hidden = !words;
}

function speak() {
  const { current, shown } = page;
  $("sentence").textContent = begun() || expected(current.table, shown);
}

/** What is going on and what is expected, in a sentence. */
function expected(table, shown) {
  if (shown) return addressed(table, shown);
  if (table.status === "over") return "Nobody has played here; the table is closed.";
  if (table.status !== "waiting") return "One moment …";
  if (!mine().size) return "This game has not begun yet.";
  return "Waiting for everybody to sit down and be ready.";
}

/** The words of a position; where several people share the screen, with the name of who is meant. */
function addressed(table, { mover, words = "" }) {
  const own = mine();
  if (own.size < 2 || mover !== page.current.number) return words;
  const name = called(table, mover);
  const others = [...own.keys()].filter((n) => n !== mover).map((n) => called(table, n));
  const who = others.includes(name) ? colourName(mover) : name;
  return `${who}: ${words.replace(/^You/, "you")}`;
}

function showWaiting() {
  const acts = { sit: (seat) => sit(seat, sitDown), ready, leave, fill: letPlay };
  showRoom($("room"), page.current.table, mine(), acts, page.levels ?? []);
}

function showBar() {
  const { back, current, shown, thinking } = page;
  showPlayers($("players"), current.table, shown, mine(), back ? undefined : thinking);
}

// --- the page itself ---

root.querySelector(".zoom").addEventListener("click", (event) => {
  const { zoom } = event.target.dataset;
  if (zoom !== undefined) board.zoom(Number(zoom));
});
$("last").addEventListener("click", showLast);
$("help").addEventListener("click", showKeys);
$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.querySelector("input");
  if (field.value.trim() && send({ type: "chat", words: field.value })) field.value = "";
});

/**
 * Which agents there are for this game, and whether it needs a curtain between people at one
 * screen: if nobody knows, it does.
 */
async function askAboutGame({ game }) {
  page.levels = [];
  const games = await ask("/api/games").catch(() => []);
  const found = games.find((one) => one.name === game);
  page.levels = (found?.levels ?? []).map((one) => one.name);
  page.hidden = found?.hidden ?? true;
  if (page.current.table) refresh();
  handOver();
}

connect();
