/** Looking back: step by step, with what each seat could expect and where that changed most. */
import { copy, fill, h, s } from "./dom.js";
import { called, colour, mark, percent, points } from "./look.js";

const SWINGS = 6;
const HEIGHT = 88;
const EDGE = 8;
const PACE = 700;

export class Replay {
  /** `look(at, whose)` when another position is wanted, `follow()` to come back to the present. */
  constructor(root, look, follow) {
    Object.assign(this, { root, look, follow, at: 0, last: 0, whose: null, analysis: null, playing: null });
    const button = (words, label, keys, act) => h("button", { "aria-label": label, title: `${label} (${keys})`, onclick: act }, words);
    this.scrub = h("input.scrub", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Event", oninput: () => this.go(Number(this.scrub.value)) });
    this.count = h("output.count");
    this.run = button("▶", "Play", "Space", () => this.toggle());
    this.now = h("button.follow", { onclick: () => this.follow(), title: "Back to the present (F)" }, "Follow");
    this.eyes = h("select", { "aria-label": "See as", onchange: () => this.see(this.eyes.value) });
    this.link = h("button", { title: "Copy a link to this move", onclick: () => copy(this.link, this.address()) }, "Link");
    this.graph = h("div.graph");
    this.wide = 600;
    new ResizeObserver(() => this.analysis && this.graph.clientWidth !== this.wide && this.draw(this.analysis, this.events)).observe(this.graph);
    fill(root,
      h("div.row.steps", {},
        button("|◂", "First", "Home", () => this.go(0)), button("◂", "Previous", "←", () => this.step(-1)), this.run,
        button("▸", "Next", "→", () => this.step(1)), button("▸|", "Last", "End", () => this.go(this.last)),
        this.count, h("label.eyes", {}, h("span", {}, "see as"), this.eyes), this.link, this.now),
      this.graph, this.scrub);
  }

  /** The table as it is: how long the game is, and through whose eyes it may be seen. */
  update(table, last, mine) {
    this.table = table;
    this.last = last;
    this.scrub.max = last;
    this.now.hidden = table.status !== "playing";
    const over = table.status === "over";
    const seats = table.seats.map((_, n) => n).filter((n) => over || mine.has(n));
    const options = [["", "everybody"], ...seats.map((n) => [String(n), called(table, n)]), ...(over ? [["all", "the referee"]] : [])];
    const text = JSON.stringify(options);
    if (text !== this.options) {
      fill(this.eyes, options.map(([value, words]) => h("option", { value }, words)));
      this.options = text;
      this.eyes.value = this.whose === null ? "" : String(this.whose);
    }
    this.show(this.at);
  }

  see(value) {
    this.whose = value === "" ? null : value === "all" ? "all" : Number(value);
    this.look(this.at, this.whose);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.last, at));
    this.show(this.at);
    this.look(this.at, this.whose);
  }

  step(by) {
    this.stop();
    const stops = this.stops || [];
    const next = by > 0 ? stops.find((n) => n > this.at) : stops.findLast((n) => n < this.at);
    this.go(next ?? (by > 0 ? this.last : 0));
  }

  /** Steps are decisions with the luck after them; single events can be reached with the scrubber. */
  setStops(stops) {
    this.stops = stops;
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.at >= this.last) this.go(0);
    this.run.textContent = "❚❚";
    this.playing = setInterval(() => {
      const next = (this.stops || []).find((n) => n > this.at);
      if (next === undefined) this.stop();
      else this.go(next);
    }, PACE);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.run.textContent = "▶";
  }

  show(at) {
    this.scrub.value = at;
    this.count.textContent = `${at} / ${this.last}`;
    const x = this.last ? (at / this.last) * this.span : 0;
    this.cursor?.setAttribute("transform", `translate(${x} 0)`);
    if (this.reading) this.reading.replaceChildren(...this.readings(at));
  }

  address() {
    const whose = this.whose === null ? "" : `&as=${this.whose}`;
    return `${location.origin}/replay/${this.table.id}?at=${this.at}${whose}`;
  }

  // --- the curve ---

  waiting(words) {
    if (!this.analysis) fill(this.graph, h("p.quiet", {}, words));
  }

  draw(analysis, events) {
    Object.assign(this, { analysis, events, wide: this.graph.clientWidth || 600 });
    this.span = this.wide - 2 * EDGE;
    const rows = analysis.expectation;
    const last = Math.max(1, rows.length - 1);
    const x = (n) => ((n / last) * this.span).toFixed(1);
    const y = (v) => ((1 - v) * HEIGHT).toFixed(1);
    const every = Math.max(1, Math.floor(rows.length / 1500));
    const kept = rows.map((row, n) => [row, n]).filter(([, n]) => n % every === 0 || n === last);
    const curves = this.table.seats.map((_, seat) => s("path.curve", { d: `M${kept.map(([row, n]) => `${x(n)} ${y(row[seat])}`).join("L")}`, stroke: colour(seat) }));
    const lines = [0, 0.5, 1].map((v) => s("line.grid", { x1: 0, x2: this.span, y1: y(v), y2: y(v) }));
    const marks = this.swings(rows).map(({ n, by, seat }) => {
      const words = `event ${n}: ${called(this.table, seat)} ${points(by)}${events[n - 1]?.words ? `, ${events[n - 1].words}` : ""}`;
      const go = () => this.go(n);
      return s("g.swing", { tabindex: "0", role: "button", "aria-label": words, onclick: go, onkeydown: (event) => event.key === "Enter" && go() },
        s("title", {}, words), s("circle", { cx: x(n), cy: y(rows[n][seat]), r: 5, fill: colour(seat) }));
    });
    this.cursor = s("g.cursor", {}, s("line", { y1: -4, y2: HEIGHT + 4 }));
    const picture = s("svg", { viewBox: `${-EDGE} ${-EDGE} ${this.wide} ${HEIGHT + 2 * EDGE}`, height: HEIGHT + 2 * EDGE, role: "img", "aria-label": "What each seat could expect, over the game" }, lines, curves, this.cursor, marks);
    picture.addEventListener("click", (event) => {
      if (event.target.closest(".swing")) return;
      const share = (event.x - picture.getBoundingClientRect().left - EDGE) / this.span;
      this.go(Math.round(share * this.last));
    });
    this.reading = h("p.reading");
    fill(this.graph, picture, this.reading);
    this.show(this.at);
  }

  readings(at) {
    const row = this.analysis.expectation[at];
    if (!row) return [];
    return row.map((share, n) => h("span.who", {}, mark(n), h("span.unseen", {}, called(this.table, n)), percent(share)));
  }

  /** The events at which expectations moved most: their number, by how much, and for whom it was best. */
  swings(rows) {
    const found = [];
    for (let n = 1; n < rows.length; n += 1) {
      const moved = rows[n].map((v, seat) => v - rows[n - 1][seat]);
      const by = Math.max(...moved);
      found.push({ n, by, seat: moved.indexOf(by) });
    }
    found.sort((a, b) => b.by - a.by);
    const apart = [];
    for (const one of found) {
      if (apart.length === SWINGS || one.by < 0.02) break;
      if (apart.every((other) => Math.abs(other.n - one.n) > rows.length / 60)) apart.push(one);
    }
    return apart.sort((a, b) => a.n - b.n);
  }

  /** The biggest swings as a list of links. */
  turning(events) {
    const found = this.swings(this.analysis.expectation);
    if (!found.length) return null;
    const rows = found.map(({ n, by, seat }) => h("li", {}, h("button.entry", { onclick: () => this.go(n) }, mark(seat),
      h("span", {}, h("b", {}, `${called(this.table, seat)} ${points(by)}`), " ", events[n - 1]?.words || ""))));
    return h("section.turning", {}, h("h2", {}, "Turning points"), h("ul", {}, rows));
  }
}
