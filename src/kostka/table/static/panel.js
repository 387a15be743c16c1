/** The panel beside the board: buttons, the plain list of actions, the log and the talk. */
import { $, fill, h } from "./dom.js";
import { called, colourName, mark, percent } from "./look.js";

/** Entries of the log, and actions of the list, that are shown at once. */
const LONG = 150;
const MANY = 120;

/** The words of an action as a button says them. */
export const spoken = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// --- the plain list of actions ---

let listed = null;

/** Every action in words; `choose(action)` when one is taken, `point(clicks)` while one is looked at. */
export function showList(legal, choose, point) {
  const box = $("list");
  box.hidden = !legal.length;
  box.querySelector(".count").textContent = legal.length ? `(${legal.length})` : "";
  const filter = box.querySelector("input");
  const list = box.querySelector("ul");
  const draw = () => {
    const asked = filter.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const found = legal.filter((one) => asked.every((word) => `${one.words} ${one.action}`.toLowerCase().includes(word)));
    const looked = (clicks) => ({ onpointerenter: () => point(clicks), onpointerleave: () => point([]), onfocus: () => point(clicks), onblur: () => point([]) });
    const rows = found.slice(0, MANY).map((one) =>
      h("li", {}, h("button", { "data-action": one.action, onclick: () => choose(one), ...looked(one.clicks) }, h("span", {}, spoken(one.words)), h("code", {}, one.action))));
    const rest = found.length - rows.length;
    fill(list, rows, rest > 0 && h("li.quiet", {}, `and ${rest} more; write something above to find them`), !found.length && legal.length > 0 && h("li.quiet", {}, "No action reads like that."));
  };
  filter.oninput = draw;
  filter.onkeydown = (event) => {
    if (event.key === "Enter") list.querySelector("button")?.click();
  };
  if (legal !== listed) filter.value = "";
  listed = legal;
  draw();
}

// --- the log ---

/** Events as entries: a decision and the luck that followed it. */
export function entries(events) {
  const found = [];
  for (const one of events) {
    const last = found.at(-1);
    if (one.by < 0 && last) {
      last.luck.push(one.words ?? one.text);
      last.to = one.n;
    } else {
      found.push({ from: one.n - 1, to: one.n, by: one.by, words: one.words ?? one.text, luck: [], note: one.note });
    }
  }
  return found;
}

const FEW = 4;

/** Luck in words, without repeating them: "a new die on 3, 7 and 9 others". */
export function luckInWords(luck) {
  if (luck.length <= 1) return luck.join("");
  const stem = luck[0].replace(/\S+$/, "");
  if (stem && luck.every((one) => one.startsWith(stem))) {
    const ends = luck.map((one) => one.slice(stem.length));
    const shown = ends.slice(0, FEW + 2).join(", ");
    return stem + shown + (ends.length > FEW + 2 ? ` and ${ends.length - FEW - 2} more` : "");
  }
  return luck.slice(0, FEW).join(", ") + (luck.length > FEW ? ` and ${luck.length - FEW} more` : "");
}

export class Log {
  /** `go(at)` when an entry is clicked. */
  constructor(list, go) {
    Object.assign(this, { list, go, shown: [], all: false, stick: true });
    list.addEventListener("scroll", () => (this.stick = list.scrollHeight - list.scrollTop - list.clientHeight < 40));
    new ResizeObserver(() => this.down()).observe(list);
  }

  down() {
    if (this.stick) this.list.scrollTop = this.list.scrollHeight;
  }

  show(table, events) {
    const found = entries(events);
    const first = this.all ? 0 : Math.max(0, found.length - LONG);
    const same = this.events === events && this.first === first && this.shown.length;
    const from = same ? Math.max(first, this.shown.length + first - 1) : first;
    if (!same) fill(this.list, first > 0 && h("li", {}, h("button.small", { onclick: () => this.more(table, events) }, `${first} earlier entries`)));
    else this.list.lastChild?.remove();
    this.list.append(...found.slice(from).map((one) => this.entry(table, one)));
    Object.assign(this, { events, first, shown: found.slice(first) });
    this.down();
    if (!found.length) fill(this.list, h("li.quiet", {}, "Nothing yet."));
  }

  more(table, events) {
    this.all = true;
    this.events = null;
    this.show(table, events);
  }

  entry(table, one) {
    const who = one.by >= 0 ? mark(one.by) : h("span.mark");
    const luck = one.luck.length ? h("span.luck", {}, luckInWords(one.luck)) : null;
    const note = one.note ? h("span.note", {}, one.note) : null;
    const name = one.by >= 0 ? h("span.unseen", {}, `${called(table, one.by)}: `) : null;
    return h("li", {}, h("button.entry", { "data-at": one.to, onclick: () => this.go(one.to) }, who, h("span", {}, name, one.words, luck, note)));
  }

  /** Mark the entry that led to a position. */
  mark(at) {
    for (const one of this.list.querySelectorAll(".entry")) {
      const here = at !== null && Number(one.dataset.at) === at;
      one.classList.toggle("here", here);
      if (here) one.scrollIntoView({ block: "nearest" });
    }
  }
}

// --- the talk ---

export function showTalk(table, talk) {
  const rows = talk.map((one) => h("li", {}, one.by === null ? null : mark(one.by), h("b", {}, one.by === null ? one.name : called(table, one.by)), " ", one.words));
  const list = $("talk");
  fill(list, rows);
  list.scrollTop = list.scrollHeight;
}

// --- what was thought about ---

/** Actions with value and visits, the best first; the one that was done is marked. */
export function thoughts(title, actions, did, point) {
  const most = Math.max(1, ...actions.map((one) => one.visits || 0));
  const rows = actions.map((one) => {
    const share = one.visits === null ? (one.value ?? 0) : one.visits / most;
    const looked = { onpointerenter: () => point(one.clicks), onfocus: () => point(one.clicks), onpointerleave: () => point([]), onblur: () => point([]) };
    return h(one.action === did ? "tr.did" : "tr", { tabindex: "0", ...looked },
      h("td", {}, spoken(one.words), one.action === did && h("span.tag", {}, " played")),
      h("td.num", {}, one.value === null ? "" : percent(one.value)),
      h("td.num", { style: `--share: ${share}` }, one.visits === null ? "" : one.visits));
  });
  return h("section.thoughts", {}, h("h2", {}, title),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Action"), h("th.num", {}, "Worth"), h("th.num", {}, "Visits"))), h("tbody", {}, rows)));
}

// --- after the game ---

/** What was luck and what was not, in points of a hundred. */
export function ledger(table, found, result, points) {
  const rows = table.seats.map((_, n) => h("tr", {},
    h("th", { scope: "row" }, mark(n), " ", called(table, n) || colourName(n)),
    h("td.num", {}, points(found.start[n])), h("td.num", {}, points(found.luck[n])), h("td.num", {}, points(found.rest[n])), h("td.num", {}, percent(result[n]))));
  const head = ["", "Set-up", "Luck", "Play", "Result"].map((words, n) => h(n ? "th.num" : "th", { scope: "col" }, words));
  return h("section.ledger", {}, h("h2", {}, "Luck and play"),
    h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
    h("p.quiet", {}, `Everybody started from ${percent(found.fair)}. Luck is what the dice and cards brought beyond what was to be expected; play is the rest. In points of a hundred.`));
}
