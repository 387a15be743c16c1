/** A turn: clicks become actions, and actions are sent at once or drafted and then confirmed. */
import { Bundle } from "./bundle.js";
import { bundleForm } from "./choosing.js";
import { Clicks, isAmount, isButton, isThing } from "./clicks.js";
import { $, fill, h, keepFocus, lively, tell } from "./dom.js";
import { Drafts } from "./drafts.js";
import { showList } from "./panel.js";
import { board, complain, effects, mine, page, root, say, send, whisper, yours } from "./page.js";
import { spoken } from "./words.js";

/** More buttons than this are better found in the list. */
const MANY = 9;
/** What the next choice and taking one are called where the game has no words for it. */
const VERBS = ["Next", "Choose"];

let clicks = new Clicks();
/** Several cards that can be chosen together, whether that has begun, and where it was offered. */
let bundle = null;
let choosing = false;
let offered = null;
const drafts = new Drafts(send);
const now = () => page.current.position.at;

/** May something be done now? */
export function may() {
  return yours() && !drafts.waiting && !page.current.table.seats[page.current.number].resigned;
}

/** A position is shown: its actions can be clicked. */
export function take(position) {
  clicks = new Clicks(position.legal);
  if (position === offered) return; // what is chosen stays chosen
  offered = position;
  bundle = position.bundle ? new Bundle(position.bundle) : null;
  choosing = onlyCards();
}

/** The present has come: nothing is drafted or waited for. */
export function settle() {
  drafts.settle();
  page.hint = null;
  complain("");
}

// --- clicks ---

export function clicked(element) {
  const { back, current } = page;
  if (back) return complain("You are looking back; follow the game to play on");
  if (!may()) return current.number !== null && !drafts.waiting && why([element]);
  if (clickedCard(element)) return;
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
  if (turning()) return turned();
  if (choosing && may() && bundle.chosen.length) return `${bundle.told()}.`;
  if (last === undefined) return "";
  const beside = isAmount(last) ? String(last.amount[2]) : isButton(last) && last.slice(1);
  return `${spoken(beside || board.name(last))} – choose what comes next; Esc takes it back.`;
}

// --- several cards that are chosen together ---

/** Is there nothing else to do? */
const onlyCards = () => Boolean(bundle) && page.shown.legal.every((one) => bundle.has(one.action));

/** A click on something while cards are chosen, or on a card that begins it; false for any other. */
function clickedCard(element) {
  if (!bundle || !isThing(element) || clicks.path.length) return false;
  const card = bundle.at(element);
  const others = clicks.open(element).some((one) => !bundle.has(one.action));
  if (!choosing && (!card || others)) return false;
  choosing = true;
  if (card) chose(() => bundle.add(card));
  else complain("Choose from the cards, or take them back with Esc");
  return true;
}

/** Change what is chosen, and show it. */
function chose(change) {
  complain("");
  change();
  stepped();
}

export const ready = () => may() && choosing && bundle.complete;

/** Take the chosen cards: all decisions at once, after what was drafted. */
export function takeCards() {
  if (!ready()) return;
  complain("");
  drafts.actAll(now(), bundle.actions());
  page.refresh();
}

function closeCards() {
  choosing = false;
  bundle.chosen = [];
}

// --- choices that lie on top of each other ---

/** Is there something to turn? */
export const turning = () => may() && clicks.choices().length > 0;

/** Show another choice; false when there is none. */
export function turn(by = 1) {
  if (!turning()) return false;
  clicks.turn(by);
  stepped();
  return true;
}

/** Take the choice that is shown. */
export function choose() {
  if ($("turning").contains(document.activeElement)) board.focusNext = clicks.path.at(-1);
  clicked(clicks.top());
}

/** What the choice that is shown would do, and how to go on. */
function turned() {
  const [all, top] = [clicks.choices(), clicks.top()];
  const [next, take] = top.verbs ?? VERBS;
  const many = all.length > 1;
  const which = many ? ` (${all.indexOf(top) + 1} of ${all.length})` : "";
  const on = many ? `${next} with R, ${take.toLowerCase()} with Enter` : `${take} with Enter`;
  return `${spoken(clicks.meant().words)}${which}. ${on}; Esc takes it back.`;
}

/** The buttons below the board for what is turned. */
function showTurning() {
  const bar = $("turning");
  bar.hidden = !turning();
  root.classList.toggle("turns", turning());
  if (!turning()) return;
  const [next, take] = clicks.top().verbs ?? VERBS;
  const back = { id: "unturn", "aria-label": "Take it back", title: "Take it back (Esc)" };
  keepFocus(bar, () => fill(bar,
    clicks.choices().length > 1 &&
      h("button", { id: "turn", onclick: () => turn() }, next, h("kbd", {}, "R")),
    h("button.primary", { id: "choose", onclick: choose }, take, h("kbd", {}, "Enter")),
    clicks.path.length > 0 && h("button.icon", { ...back, onclick: undo }, "✕")));
}

// --- words for what is pointed at ---

const why = (path) => send({ type: "why", at: now(), clicks: path });

/** The name of what was gone to by key, and nothing of what a pointer is on: that names itself. */
const inspected = (thing) => (thing && document.activeElement?.id === thing ? board.name(thing) : "");

/** Say what a click on this would do. */
export function hovered(thing) {
  if (!thing || !may()) {
    board.ghost();
    return whisper(inspected(thing));
  }
  const found = clicks.next().get(thing);
  const start = turning() ? clicks.path.slice(0, -1) : clicks.path;
  board.ghost((found && !turning() && clicks.meant([...start, thing])?.preview) || "");
  if (turning() && thing === clicks.path.at(-1)) whisper(""); // the sentence says it, and nothing may lie on top
  else if (found?.length === 1) whisper(found[0].words);
  else if (found) whisper(`${board.name(thing)}; ${found.length} choices`);
  else if (clicks.path.includes(thing)) whisper("click it again to take it back");
  else if (bundle?.at(thing)) whisper(bundle.telling(bundle.at(thing)));
  else whisper(inspected(thing));
}

function light() {
  const next = may() && !choosing ? clicks.next() : new Map();
  if (may() && bundle && !clicks.path.length) {
    for (const thing of bundle.things()) if (!next.has(thing)) next.set(thing, []);
  }
  const last = clicks.path.at(-1);
  const words = (thing) => {
    if (turning() && thing === last) return turned();
    return next.get(thing)?.length === 1 ? next.get(thing)[0].words : "";
  };
  board.light(next.keys(), may() ? clicks.path : [], words);
  if (turning()) board.lay(clicks.meant().preview, isThing(last) ? last : null);
  else board.lay();
}

/** Bring what the last move has brought into sight. */
export function showLast() {
  const last = board.last();
  if (!last.length) return false;
  board.bring(last);
  if (lively()) effects.ring(board.amid(last));
  return true;
}

// --- decisions ---

/** Take an action: sent at once where nothing can follow it, otherwise drafted. */
function decide(action) {
  if (!may()) return;
  complain("");
  board.point();
  if (!drafts.decide(now(), action)) return stepped();
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

/** The server says what a draft leads to. */
export function drafted(message) {
  if (drafts.drafted()) page.present(message);
}

export const drafting = () => may() && drafts.taken.length > 0;

export function confirmDrafts() {
  complain("");
  drafts.confirm(now());
  page.refresh();
}

/** One step back: a click, or a draft. */
export function undo() {
  complain("");
  if (!may()) return;
  if (choosing && bundle.back()) stepped();
  else if (choosing && !onlyCards()) chose(closeCards);
  else if (clicks.back()) stepped();
  else if (drafts.back(now())) page.present(page.current.position);
}

export function askHint() {
  complain("");
  const asked = may() && page.current.table.casual && send({ type: "hint" });
  if (asked) say("A strong agent thinks for you");
}

// --- the buttons and the list beside the board ---

export function showActions() {
  const legal = may() ? page.shown.legal : [];
  const { number, table } = page.current;
  $("list").hidden = number === null || table.status !== "playing";
  if (legal.filter((one) => isButton(one.clicks[0])).length > MANY) $("list").open = true;
  showList(legal, decideInList, (action) => board.point(action));
  light();
}

export function showButtons() {
  root.classList.toggle("drafting", drafting());
  showTurning();
  keepFocus($("buttons"), () => fill($("buttons"), may() ? choices() : []));
}

/** What can be chosen beside the board. */
function choices() {
  const { game } = page.current.table;
  if (choosing) return [bundleForm(bundle, game, chose, takeCards, undo, !onlyCards())];
  const made = [];
  const amounts = clicks.amounts();
  if (amounts) made.push(amountForm(amounts));
  const { taken } = drafts;
  if (taken.length) {
    const words = taken.map((one) => one.words).join(", ");
    const all = taken.length === 1 ? "Confirm" : `Confirm ${taken.length} decisions`;
    made.push(
      h("p.quiet", {}, `Drafted, and told to nobody yet: ${words}.`),
      h("button.primary", { id: "confirm", onclick: confirmDrafts }, all, h("kbd", {}, "Enter")),
    );
  }
  const all = new Map([...new Clicks(page.shown.legal).next(), ...clicks.next()]);
  const cards = (actions) => bundle && actions.every((one) => bundle.has(one.action));
  const beside = [...all].filter(([element, actions]) => isButton(element) && !cards(actions));
  if (beside.length > MANY) made.push(h("p.quiet", {}, "Choose from the list of actions."));
  else made.push(...beside.map(besideBoard));
  if (bundle) {
    const open = () => chose(() => (choosing = true));
    const n = beside.length > MANY ? 1 : beside.length + 1;
    const given = { "data-key": n, "data-click": "bundle", onclick: open };
    made.push(h("button", given, spoken(bundle.words), h("kbd", {}, n)));
  }
  if (clicks.path.length || taken.length) {
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

/** A slider and a field for an amount, and a button for all of it. */
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
  const most = () => clicked({ amount: [low, high, high] });
  const all = low < high && h("button", { type: "button", onclick: most }, `All ${high}`);
  return h("form.amount", { onsubmit: choose }, h("div.row", {}, slide, field, go, all), words);
}
