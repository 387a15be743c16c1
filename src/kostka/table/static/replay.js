/** Looking back: step by step, with what each seat could expect and where that changed most. */
import { choice, copy, fill, h, s } from "./dom.js";
import { expected, luckInWords, stopFrom, swings } from "./entries.js";
import { called, colour, mark } from "./look.js";
import { percent, points } from "./words.js";

const HEIGHT = 88;
const EDGE = 8;
/** Points of a curve, and milliseconds from one decision to the next. */
const POINTS = 1500;
const PACE = 700;

export class Replay {
  /** `look(at, whose)` when a position is wanted, `follow()` to come back to the present. */
  constructor(root, look, follow) {
    Object.assign(this, { look, follow, at: 0, last: 0, whose: null, steps: [] });
    Object.assign(this, { analysis: null, playing: null, wide: 600 });
    const step = (words, label, key, act) =>
      h("button", { "aria-label": label, title: `${label} (${key})`, onclick: act }, words);
    const scrubbed = () => this.go(Number(this.scrub.value));
    this.scrub = h("input.scrub", { type: "range", min: 0, "aria-label": "Event", oninput: scrubbed });
    this.count = h("output.count");
    this.run = step("▶", "Play", "Space", () => this.toggle());
    this.now = h("button", { title: "Back to the present (F)", onclick: () => follow() }, "Follow");
    this.eyes = choice({ "aria-label": "See as", onchange: () => this.see(this.eyes.value) }, []);
    const linked = () => copy(this.link, this.address());
    this.link = h("button", { title: "Copy a link to this move", onclick: linked }, "Link");
    this.graph = h("div.graph");
    new ResizeObserver(() => this.redraw()).observe(this.graph);
    fill(
      root,
      h("div.row.steps", {},
        step("|◂", "First", "Home", () => this.go(0)),
        step("◂", "Previous", "←", () => this.step(-1)),
        this.run,
        step("▸", "Next", "→", () => this.step(1)),
        step("▸|", "Last", "End", () => this.go(this.last)),
        this.count,
        h("label.eyes", {}, h("span", {}, "see as"), this.eyes),
        this.link,
        this.now),
      this.graph,
      this.scrub,
    );
  }

  /** The table as it is: how long the game is, and through whose eyes it may be seen. */
  update(table, last, mine) {
    Object.assign(this, { table, last });
    this.scrub.max = last;
    this.now.hidden = table.status !== "playing";
    const over = table.status === "over";
    const seats = table.seats.map((_, n) => n).filter((n) => over || mine.has(n));
    const eyes = [["", "everybody"], ...seats.map((n) => [n, called(table, n)])];
    if (over) eyes.push(["all", "the referee"]);
    const text = JSON.stringify(eyes);
    if (text !== this.known) {
      fill(this.eyes, [...choice({}, eyes).children]);
      this.eyes.value = this.whose === null ? "" : String(this.whose);
      this.known = text;
    }
    this.show(this.at);
  }

  // --- steps ---

  see(value) {
    this.whose = value === "" ? null : value === "all" ? "all" : Number(value);
    this.look(this.at, this.whose);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.last, at));
    this.show(this.at);
    this.look(this.at, this.whose);
  }

  /** Steps are decisions with the luck after them; the scrubber reaches single events. */
  setSteps(entries) {
    this.steps = entries;
  }

  get stops() {
    return this.steps.map((one) => one.to);
  }

  step(by) {
    this.stop();
    this.go(stopFrom(this.stops, this.at, by, this.last));
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.at >= this.last) this.go(0);
    this.run.textContent = "❚❚";
    this.playing = setInterval(() => {
      const next = this.stops.find((n) => n > this.at);
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
    if (!this.cursor) return;
    const x = this.last ? (at / this.last) * this.span : 0;
    this.cursor.setAttribute("transform", `translate(${x} 0)`);
    fill(this.reading, this.readings(at));
  }

  address() {
    const whose = this.whose === null ? "" : `&as=${this.whose}`;
    return `${location.origin}/replay/${this.table.id}?at=${this.at}${whose}`;
  }

  // --- the curve ---

  waiting(words) {
    if (!this.analysis) fill(this.graph, h("p.quiet", {}, words));
  }

  redraw() {
    if (this.analysis && this.graph.clientWidth !== this.wide) this.draw(this.analysis);
  }

  draw(analysis) {
    Object.assign(this, { analysis, wide: this.graph.clientWidth || 600 });
    this.span = this.wide - 2 * EDGE;
    const rows = analysis.expectation;
    const last = Math.max(1, rows.length - 1);
    const x = (n) => ((n / last) * this.span).toFixed(1);
    const y = (share) => ((1 - share) * HEIGHT).toFixed(1);
    const lines = [0, 0.5, 1].map((share) =>
      s("line.grid", { x1: 0, x2: this.span, y1: y(share), y2: y(share) }));
    const every = Math.ceil(this.steps.length / POINTS);
    const kept = [0, ...this.stops.filter((_, n) => n % every === 0), last];
    const curves = this.table.seats.map((_, seat) => {
      const path = kept.map((n) => `${x(n)} ${y(rows[n][seat])}`).join("L");
      return s("path.curve", { d: `M${path}`, stroke: colour(seat) });
    });
    const marks = this.swings().map(({ n, seat, words }) => {
      const go = () => this.go(n);
      const enter = (event) => event.key === "Enter" && go();
      const given = { tabindex: "0", role: "button", "aria-label": words };
      return s("g.swing", { ...given, onclick: go, onkeydown: enter },
        s("title", {}, words),
        s("circle", { cx: x(n), cy: y(rows[n][seat]), r: 5, fill: colour(seat) }));
    });
    this.cursor = s("g.cursor", {}, s("line", { y1: -4, y2: HEIGHT + 4 }));
    const height = HEIGHT + 2 * EDGE;
    const box = `${-EDGE} ${-EDGE} ${this.wide} ${height}`;
    const label = "What each seat could expect, over the game";
    const given = { viewBox: box, height, role: "group", "aria-label": label };
    const picture = s("svg", given, lines, curves, this.cursor, marks);
    picture.addEventListener("click", (event) => {
      if (event.target.closest(".swing")) return;
      const along = event.x - picture.getBoundingClientRect().left - EDGE;
      this.go(Math.round((along / this.span) * this.last));
    });
    this.reading = h("p.reading");
    fill(this.graph, picture, this.reading);
    this.show(this.at);
  }

  /** What each seat could expect after so many events. */
  readings(at) {
    const name = (n) => h("span.unseen", {}, called(this.table, n));
    const shares = expected(this.analysis.expectation, this.stops, at);
    return shares.map((share, n) => h("span.who", {}, mark(n), name(n), percent(share)));
  }

  /** The decisions at which expectations moved most, in words. */
  swings() {
    const found = swings(this.steps, this.analysis.expectation, this.last);
    return found.map(({ entry: { to, by: who, words, luck }, by, seat }) => {
      const gain = `${called(this.table, seat)} ${points(by)}`;
      const did = who >= 0 ? `${called(this.table, who)}: ${words}` : words;
      const what = luck.length ? `${did} – ${luckInWords(luck)}` : did;
      return { n: to, seat, gain, what, words: `${gain}. ${what}` };
    });
  }

  /** The biggest swings as a list. */
  turning() {
    const rows = this.swings().map(({ n, seat, gain, what }) => {
      const words = h("span", {}, h("b", {}, gain), " ", what);
      return h("li", {}, h("button.entry", { onclick: () => this.go(n) }, mark(seat), words));
    });
    return rows.length
      ? h("section.turning", {}, h("h2", {}, "Turning points"), h("ul", {}, rows))
      : null;
  }
}
