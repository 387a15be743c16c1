/** What has just happened, shown briefly: dice fall, things move, appear, and are said. */
import { h, lively, s } from "./dom.js";

const TUMBLE = { mine: 420, theirs: 220 };
const FLICKER = 70;
const LINGER = 1100;
const EASE = "ease-out";

/** Where pips lie on the faces of a die. */
const PIPS = {
  1: [[2, 2]],
  2: [[1, 1], [3, 3]],
  3: [[1, 1], [2, 2], [3, 3]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]],
  5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

function die(face, colour) {
  const pip = ([x, y]) => s("circle", { cx: 6 * x, cy: 6 * y, r: 2.3, fill: colour });
  const pips = (PIPS[face] || []).map(pip);
  const body = s("rect", { x: 1, y: 1, width: 22, height: 22, rx: 5 });
  return s("svg.die", { viewBox: "0 0 24 24", "aria-hidden": "true" }, body, pips);
}

const sum = (faces) => faces.reduce((a, b) => a + b, 0);
const pause = (time) => new Promise((done) => setTimeout(done, time));
const any = () => 1 + Math.floor(6 * Math.random());

export class Effects {
  constructor(board) {
    this.board = board;
  }

  /** What comes before the new position is shown: the throw. */
  async before(effects, mine) {
    const thrown = effects.filter((one) => one.kind === "dice").at(-1);
    this.thrown?.remove();
    this.thrown = null;
    if (thrown) await this.dice(thrown, mine ? TUMBLE.mine : TUMBLE.theirs);
  }

  /** What comes with the new position; gives words to be said, if there are any. */
  after(effects) {
    if (lively()) {
      for (const one of effects) {
        if (one.kind === "pulse") this.pulse(one.at);
        if (one.kind === "move") this.move(one);
      }
    }
    return effects.filter((one) => one.kind === "say").map((one) => one.words);
  }

  async dice({ at, from, faces, won }, time) {
    const place = this.board.middle(at);
    if (!place) return;
    const fill = (id) => this.board.thing(id)?.getAttribute("fill") || "currentColor";
    const colours = [fill(from), fill(at)];
    const rows = faces.map(() => h("span.throw-row"));
    const totals = faces.map(() => h("b", {}, "\u2007"));
    const dice = (side, n) => side.map((face) => die(face, colours[n]));
    const show = (thrown) => thrown.forEach((side, n) => rows[n].replaceChildren(...dice(side, n)));
    const parts = rows.flatMap((row, n) => [h("span.throw-side", {}, row, totals[n])]);
    this.thrown = h("div.throw", { "aria-hidden": "true" }, parts);
    this.board.root.append(this.thrown);
    show(faces);
    this.put(this.thrown, place);
    const shown = this.thrown;
    if (lively()) {
      shown.classList.add("tumbling");
      for (const end = performance.now() + time; performance.now() < end; ) {
        show(faces.map((side) => side.map(any)));
        await pause(FLICKER);
      }
      shown.classList.remove("tumbling");
      show(faces);
    }
    totals.forEach((total, n) => (total.textContent = sum(faces[n])));
    if (won !== undefined && parts.length === 2) parts[won ? 0 : 1].classList.add("best");
    setTimeout(() => this.fade(shown), LINGER);
  }

  fade(element) {
    if (!lively()) return element.remove();
    const fading = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 240, easing: EASE });
    fading.onfinish = () => element.remove();
  }

  /** Put something above a place, inside the board. */
  put(element, { x, y }) {
    const frame = this.board.root.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const left = Math.max(8, Math.min(frame.width - width - 8, x - width / 2));
    const above = y - height - 34;
    const top = above >= 8 ? above : Math.min(frame.height - height - 8, y + 34);
    element.style.translate = `${left}px ${top}px`;
  }

  pulse(at) {
    const place = this.board.middle(at);
    if (place) this.ring(place);
  }

  ring(place) {
    const ring = h("div.ring", { "aria-hidden": "true" });
    ring.style.translate = `${place.x}px ${place.y}px`;
    this.board.root.append(ring);
    const frames = [{ scale: 0.4, opacity: 0.9 }, { scale: 1.3, opacity: 0 }];
    ring.animate(frames, { duration: 480, easing: EASE }).onfinish = () => ring.remove();
  }

  move({ from, to, number }) {
    const [a, b] = [this.board.middle(from), this.board.middle(to)];
    if (!a || !b) return;
    const token = h("div.token", { "aria-hidden": "true" }, number ? String(number) : "");
    this.board.root.append(token);
    const frames = [a, b].map(({ x, y }) => ({ translate: `${x}px ${y}px` }));
    token.animate(frames, { duration: 240, easing: EASE }).onfinish = () => token.remove();
  }
}
