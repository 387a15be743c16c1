/** The panel beside the board: the plain list of actions, the log, the talk and tables. */
import { $, fill, h } from "./dom.js";
import { entries, luckInWords } from "./entries.js";
import { called, mark } from "./look.js";
import { percent, points, spoken } from "./words.js";

/** Entries of the log and actions of the list that are shown at once. */
const LONG = 150;
const MANY = 120;

/** While this is looked at, point at the action that it is about. */
function pointing(action, point) {
  const [on, off] = [() => point(action), () => point()];
  return { onpointerenter: on, onfocus: on, onpointerleave: off, onblur: off };
}

// --- the plain list of actions ---

let listed = null;

/** Every action in words; `choose(action)` when one is taken, `point(action)` to show it. */
export function showList(legal, choose, point) {
  const box = $("list");
  const filter = box.querySelector("input");
  const list = box.querySelector("ul");
  const item = (one) => {
    const given = { "data-action": one.action, onclick: () => choose(one) };
    const words = [h("span", {}, spoken(one.words)), h("code", {}, one.action)];
    return h("li", {}, h("button", { ...given, ...pointing(one, point) }, words));
  };
  const draw = () => {
    const asked = filter.value.trim().toLowerCase().split(/\s+/);
    const reads = (one) => {
      const text = `${one.words} ${one.action}`.toLowerCase();
      return asked.every((word) => text.includes(word));
    };
    const found = legal.filter(reads);
    const rest = found.length - MANY;
    fill(
      list,
      found.slice(0, MANY).map(item),
      rest > 0 && h("li.quiet", {}, `and ${rest} more; write something above to find them`),
      legal.length > 0 && !found.length && h("li.quiet", {}, "No action reads like that."),
    );
  };
  box.classList.toggle("idle", !legal.length);
  box.querySelector(".count").textContent = legal.length ? `(${legal.length})` : "";
  filter.oninput = draw;
  filter.onkeydown = (event) => {
    if (event.key === "Enter") list.querySelector("button")?.click();
  };
  if (legal !== listed) filter.value = "";
  listed = legal;
  draw();
}

// --- the log ---

export class Log {
  /** `go(at)` when an entry is clicked. */
  constructor(list, go) {
    Object.assign(this, { list, go, count: 0, all: false, stick: true });
    list.addEventListener("scroll", () => {
      if (list.clientHeight !== this.tall) this.down(); // the panel has changed, nobody has scrolled
      else this.stick = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    });
    new ResizeObserver(() => this.down()).observe(list);
  }

  /** Stay at the newest entry, unless somebody reads further up. */
  down() {
    this.tall = this.list.clientHeight;
    if (this.stick) this.list.scrollTop = this.list.scrollHeight;
  }

  /** Show the log; of one that is shown, only the last entry can have changed. */
  show(table, events) {
    const found = entries(events);
    const first = this.all ? 0 : Math.max(0, found.length - LONG);
    const goesOn = this.events === events && this.first === first && this.count > 0;
    if (goesOn) this.list.lastChild.remove();
    else fill(this.list, first > 0 && this.earlier(table, events, first));
    const from = goesOn ? this.count - 1 : first;
    this.list.append(...found.slice(from).map((one) => this.entry(table, one)));
    Object.assign(this, { events, first, count: found.length });
    if (!found.length) fill(this.list, h("li.quiet", {}, "Nothing yet."));
    this.down();
  }

  earlier(table, events, count) {
    const more = () => {
      Object.assign(this, { all: true, events: null, stick: false });
      this.show(table, events);
    };
    return h("li", {}, h("button.small", { onclick: more }, `${count} earlier entries`));
  }

  entry(table, { to, by, words, luck, note }) {
    const given = { "data-at": to, onclick: () => this.go(to) };
    return h("li", {}, h("button.entry", given,
      by >= 0 ? mark(by) : h("span.mark"),
      h("span", {},
        by >= 0 && h("span.unseen", {}, `${called(table, by)}: `),
        words,
        luck.length > 0 && h("span.luck", {}, luckInWords(luck)),
        note && h("span.note", {}, note))));
  }

  /** Mark the entry that led to a position. */
  mark(at) {
    for (const one of this.list.querySelectorAll(".entry")) {
      const here = at !== null && Number(one.dataset.at) === at;
      one.classList.toggle("here", here);
      if (here) this.reveal(one);
    }
  }

  /** Bring an entry into sight by moving the list, never the page. */
  reveal(entry) {
    const [inner, outer] = [entry, this.list].map((one) => one.getBoundingClientRect());
    this.list.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
  }
}

// --- the talk ---

export function showTalk(table, talk) {
  const rows = talk.map(({ by, name, words }) => {
    const who = by === null ? [h("b", {}, name)] : [mark(by), h("b", {}, called(table, by))];
    return h("li", {}, who, " ", words);
  });
  const list = fill($("talk"), rows);
  list.scrollTop = list.scrollHeight;
}

// --- tables ---

function table(head, rows) {
  const cells = head.map((words, n) => h(n ? "th.num" : "th", { scope: "col" }, words));
  return h("table", {}, h("thead", {}, h("tr", {}, cells)), h("tbody", {}, rows));
}

/** Actions with value and visits, the best first; the one that was done is marked. */
export function thoughts(title, actions, did, point) {
  const most = Math.max(1, ...actions.map((one) => one.visits || 0));
  const rows = actions.map((one) => {
    const { action, words, value, visits } = one;
    const share = visits === null ? (value ?? 0) : visits / most;
    const done = action === did;
    return h(done ? "tr.did" : "tr", { tabindex: "0", ...pointing(one, point) },
      h("td", {}, spoken(words), done && h("span.tag", {}, " played")),
      h("td.num", {}, value === null ? "" : percent(value)),
      h("td.num", { style: `--share: ${share}` }, visits ?? ""));
  });
  const shown = table(["Action", "Worth", "Visits"], rows);
  return h("section.thoughts", {}, h("h2", {}, title), shown);
}

/** What was luck and what was not, in points of a hundred. */
export function ledger(at, { fair, start, luck, rest }, result) {
  const rows = at.seats.map((_, n) => h("tr", {},
    h("th", { scope: "row" }, mark(n), " ", called(at, n)),
    [start, luck, rest].map((part) => h("td.num", {}, points(part[n]))),
    h("td.num", {}, percent(result[n]))));
  const words =
    `Everybody started from ${percent(fair)}. Luck is what dice and cards brought beyond what was ` +
    "to be expected; play is the rest. In percentage points.";
  return h("section.ledger", {}, h("h2", {}, "Luck and play"),
    table(["Player", "Set-up", "Luck", "Play", "Result"], rows), h("p.quiet", {}, words));
}
