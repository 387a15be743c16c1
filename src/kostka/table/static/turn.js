/** A turn: clicks become actions, actions become drafts, and drafts are confirmed. */
import { Clicks, isAmount, isButton } from "./clicks.js";
import { $, fill, h, keepFocus, tell } from "./dom.js";
import { showList, spoken } from "./panel.js";
import { board, complain, mine, page, root, say, send, whisper, yours } from "./page.js";
import { rematch } from "./company.js";
import { follow } from "./looking.js";

/** More buttons than this are better found in the list. */
const MANY = 9;

let clicks = new Clicks();
let drafts = []; // tried, and not told
let tried = []; // on its way to be
let waiting = false; // for the server's answer

/** May something be done now? */
export function may() {
  return yours() && !waiting && !page.current.table.seats[page.current.number].resigned;
}

/** A position is shown: its actions can be clicked. */
export function take(position) {
  clicks = new Clicks(position.legal);
}

/** The present has come: nothing is drafted or waited for. */
export function settle() {
  waiting = false;
  drafts = [];
  page.hint = null;
  complain("");
}

// --- clicks ---

export function clicked(element) {
  const { back, current } = page;
  if (back) return complain("You are looking back; follow the game to play on");
  if (!may()) return current.number !== null && !waiting && why([element]);
  const answer = clicks.click(element);
  if (answer.action) decide(answer.action);
  else if (answer.refused) why(answer.refused);
  else {
    complain("");
    stepped();
    hovered(element);
  }
}

/** A click has gone on or back. */
function stepped() {
  showButtons();
  light();
  page.speak();
}

/** What was clicked last on the way to an action, and what is expected then; nothing before. */
export function begun() {
  const last = may() ? clicks.path.at(-1) : undefined;
  if (last === undefined) return "";
  const beside = isAmount(last) ? String(last.amount[2]) : isButton(last) && last.slice(1);
  return `${spoken(beside || board.name(last))} – choose what comes next; Esc takes it back.`;
}

const why = (path) => send({ type: "why", at: page.current.position.at, clicks: path });

/** Say what a click on this would do. */
export function hovered(thing) {
  if (!thing || !may()) return whisper("");
  const found = clicks.next().get(thing);
  if (found?.length === 1) whisper(found[0].words);
  else if (found) whisper(`${board.name(thing)}; ${found.length} choices`);
  else if (clicks.path.includes(thing)) whisper("click it again to take it back");
  else whisper("");
}

function light() {
  const next = may() ? clicks.next() : new Map();
  const words = (thing) => (next.get(thing)?.length === 1 ? next.get(thing)[0].words : "");
  board.light(next.keys(), may() ? clicks.path : [], words);
}

// --- decisions ---

/** Take an action: tried as a draft first; where nothing can follow it, it is done at once. */
function decide(action) {
  complain("");
  board.point([]);
  if (!draft([...drafts, action])) return;
  clicks = new Clicks();
  tell($("says"), "");
  stepped();
}

/** From the list the focus goes back to the board. */
function decideInList(action) {
  document.activeElement.blur();
  board.focusNext = action.clicks[0];
  decide(action);
}

/** Ask what decisions would lead to. */
function draft(actions) {
  const texts = actions.map((one) => one.action);
  tried = actions;
  waiting = send({ type: "draft", at: page.current.position.at, actions: texts });
  return waiting;
}

/** The server says what a draft leads to. */
export function drafted(message) {
  if (!waiting) return;
  if (message.done) {
    send({ type: "act", at: message.at, actions: message.draft });
    return;
  }
  waiting = false;
  drafts = tried;
  page.present(message);
}

export const drafting = () => may() && drafts.length > 0;

export function confirmDrafts() {
  complain("");
  const texts = drafts.map((one) => one.action);
  waiting = send({ type: "act", at: page.current.position.at, actions: texts });
  page.refresh();
}

/** One step back: a click, or a draft. */
export function undo() {
  complain("");
  if (!may()) return;
  if (clicks.back()) stepped();
  else if (drafts.length > 1) draft(drafts.slice(0, -1));
  else if (drafts.length) {
    drafts = [];
    page.present(page.current.position);
  }
}

export function askHint() {
  complain("");
  const asked = may() && page.current.table.casual && send({ type: "hint" });
  if (asked) say("A strong agent thinks for you");
}

// --- the buttons and the list beside the board ---

export function showActions() {
  const legal = may() ? page.shown.legal : [];
  if (legal.filter((one) => isButton(one.clicks[0])).length > MANY) $("list").open = true;
  showList(legal, decideInList, (path) => board.point(path));
  light();
}

export function showButtons() {
  const made = [...(may() ? choices() : []), ...ways()];
  root.classList.toggle("drafting", drafting());
  keepFocus($("buttons"), () => fill($("buttons"), made));
}

/** What can be chosen beside the board. */
function choices() {
  const made = [];
  const amounts = clicks.amounts();
  if (amounts) made.push(amountForm(amounts));
  if (drafts.length) {
    const words = drafts.map((one) => one.words).join(", ");
    const all = drafts.length === 1 ? "Confirm" : `Confirm ${drafts.length} decisions`;
    made.push(
      h("p.quiet", {}, `Drafted, and told to nobody yet: ${words}.`),
      h("button.primary", { id: "confirm", onclick: confirmDrafts }, all, h("kbd", {}, "Enter")),
    );
  }
  const all = new Map([...new Clicks(page.shown.legal).next(), ...clicks.next()]);
  const beside = [...all].filter(([element]) => isButton(element));
  if (beside.length > MANY) made.push(h("p.quiet", {}, "Choose from the list of actions."));
  else made.push(...beside.map(besideBoard));
  if (clicks.path.length || drafts.length) {
    made.push(h("button", { id: "undo", onclick: undo }, "Undo", h("kbd", {}, "Esc")));
  }
  if (page.current.table.casual && !page.hint && page.shown.legal.length > 1) {
    made.push(h("button", { id: "hint", onclick: askHint }, "Hint", h("kbd", {}, "H")));
  }
  return made;
}

function besideBoard([element, actions], n) {
  const words = actions.length === 1 ? spoken(actions[0].words) : element.slice(1);
  const given = { "data-key": n + 1, "data-click": element, onclick: () => clicked(element) };
  return h("button", given, words, h("kbd", {}, n + 1));
}

/** Where one can go from here. */
function ways() {
  const { back, current } = page;
  const { status, next } = current.table;
  const made = [];
  if (back && status === "playing") {
    made.push(h("button.primary", { onclick: follow }, "Back to the present"));
  }
  if (status === "over") {
    const words = next ? "To the rematch" : "Play again";
    if (mine().size && current.position) {
      made.push(h("button.primary", { id: "rematch", onclick: rematch }, words));
    } else if (next) made.push(h("a.button", { href: `/table/${next}` }, "Watch the rematch"));
    made.push(h("a.button", { href: "/" }, "All games"));
  }
  if (status === "playing" && !mine().size && !back) {
    made.push(h("p.quiet", {}, "You are watching."));
  }
  return made;
}

/** A slider and a field for an amount. */
function amountForm(values) {
  const [low, high] = [values[0], values.at(-1)];
  const limits = { min: low, max: high, value: high };
  const slide = h("input", { type: "range", "aria-label": "How many", ...limits });
  const field = h("input", { type: "number", "aria-label": "How many, as a number", ...limits });
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
  const go = h("button.primary", {}, "Choose", h("kbd", {}, "Enter"));
  return h("form.amount", { onsubmit: choose }, h("div.row", {}, slide, field, go), words);
}
