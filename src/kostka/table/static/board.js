/** The board: a drawing that is replaced layer by layer, looked at closely, and clicked. */
import { isAmount, isButton } from "./clicks.js";
import { fill, h, s } from "./dom.js";
import { distance, fitted, onward, zoomed } from "./geometry.js";

/** Pixels a pointer may tremble during a click, and by which a finger may miss. */
const TREMBLE = 6;
const MISS = 22;
const UNDRAWN = "This game has no picture. The buttons and the list of actions are all it needs.";

export class Board {
  /** `clicked(id)` when a thing is clicked, `hovered(id or null)` when one is pointed at. */
  constructor(root, clicked, hovered) {
    Object.assign(this, { root, clicked, hovered, box: null, view: null, lit: new Map() });
    this.still = s("g");
    this.moving = s("g");
    this.svg = s("svg", { role: "group", "aria-label": "The board" }, this.still, this.moving);
    this.pointers = new Map();
    this.listen();
  }

  // --- drawing ---

  /** Show a position; what does not change comes only with the first. */
  show({ backdrop, layer, box }) {
    if (!box) return fill(this.root, h("p.undrawn", {}, UNDRAWN));
    if (!this.svg.isConnected) fill(this.root, this.svg);
    if (backdrop !== undefined && backdrop !== this.backdrop) {
      this.still.innerHTML = backdrop;
      this.backdrop = backdrop;
    }
    const focused = this.moving.contains(document.activeElement) ? document.activeElement.id : null;
    this.moving.innerHTML = layer;
    if (box !== this.boxText) {
      this.boxText = box;
      this.box = box.split(/[\s,]+/).map(Number);
      this.root.style.setProperty("--ratio", this.box[2] / this.box[3]);
      this.look(this.box);
    }
    this.focusNext = focused;
  }

  thing(id) {
    return this.svg.querySelector(`#${CSS.escape(id)}`);
  }

  /** What a thing is called. */
  name(id) {
    return this.thing(id)?.querySelector("title")?.textContent || id;
  }

  /** Mark what can be clicked and what was; `words(id)` says what a click would do. */
  light(next, picked = [], words = () => "") {
    const active = this.svg.contains(document.activeElement) ? document.activeElement.id : null;
    const focused = this.focusNext || active;
    for (const old of this.svg.querySelectorAll(".can, .picked")) {
      old.classList.remove("can", "picked");
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) old.removeAttribute(name);
    }
    this.lit = new Map();
    const dress = (id, name) => {
      const thing = isAmount(id) || isButton(id) ? null : this.thing(id);
      if (!thing) return;
      thing.classList.add(name);
      const title = this.name(id);
      const then = words(id);
      thing.setAttribute("tabindex", "-1");
      thing.setAttribute("role", "button");
      thing.setAttribute("aria-label", then ? `${title}; ${then}` : title);
      if (name === "picked") thing.setAttribute("aria-pressed", "true");
      this.lit.set(id, thing);
    };
    for (const id of picked) dress(id, "picked");
    for (const id of next) dress(id, "can");
    const first = this.lit.get(focused) || this.lit.values().next().value;
    first?.setAttribute("tabindex", "0");
    if (focused) first?.focus({ preventScroll: true });
    if (first) this.focusNext = null;
  }

  /** Point out things without making them clickable, for a hint or a replay. */
  point(ids = []) {
    for (const old of this.svg.querySelectorAll(".pointed")) old.classList.remove("pointed");
    for (const id of ids) if (!isAmount(id) && !isButton(id)) this.thing(id)?.classList.add("pointed");
  }

  /** The middle of a thing in pixels of the board's section. */
  middle(id) {
    const thing = this.thing(id);
    if (!thing) return null;
    const place = thing.getBoundingClientRect();
    const frame = this.root.getBoundingClientRect();
    return { x: place.x + place.width / 2 - frame.x, y: place.y + place.height / 2 - frame.y };
  }

  // --- keys ---

  /** Move the focus to the nearest lit thing in a direction: dx, dy in -1, 0, 1. */
  move(dx, dy) {
    const things = [...this.lit.values()];
    if (!things.length) return false;
    const centre = (thing) => {
      const { x, y, width, height } = thing.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const from = things.includes(document.activeElement) ? document.activeElement : null;
    if (!from) {
      this.focus(things.find((one) => one.getAttribute("tabindex") === "0") || things[0]);
      return true;
    }
    const others = things.filter((one) => one !== from);
    const best = onward(others.map(centre), centre(from), [dx, dy]);
    if (best >= 0) this.focus(others[best]);
    return true;
  }

  focus(thing) {
    for (const one of this.lit.values()) one.setAttribute("tabindex", one === thing ? "0" : "-1");
    thing.focus({ preventScroll: true });
    if (this.root.classList.contains("close")) this.bring(thing);
  }

  // --- looking closely ---

  /** Bring a thing into sight. */
  bring(thing) {
    const { x, y, width, height } = thing.getBoundingClientRect();
    const place = this.place({ x: x + width / 2, y: y + height / 2 });
    const [left, top, w, h] = this.view;
    const [across, down] = [place.x - left - w / 2, place.y - top - h / 2].map(Math.abs);
    if (across > 0.4 * w || down > 0.4 * h) this.look([place.x - w / 2, place.y - h / 2, w, h]);
  }

  look(wanted) {
    this.view = fitted(this.box, wanted);
    this.svg.setAttribute("viewBox", this.view.map((n) => n.toFixed(2)).join(" "));
    this.root.classList.toggle("close", this.view[2] < this.box[2]);
  }

  /** Zoom by a factor around a place in pixels (by default the middle); 0 shows everything. */
  zoom(factor, at) {
    if (!this.box) return;
    if (!factor) return this.look(this.box);
    this.look(zoomed(this.view, this.place(at || this.centre()), factor));
  }

  /** What is looked at: the middle of the things that can be clicked and seen, or of everything. */
  centre() {
    const whole = this.svg.getBoundingClientRect();
    const seen = ({ left, right, top, bottom }) =>
      left >= whole.left && right <= whole.right && top >= whole.top && bottom <= whole.bottom;
    const lit = [...this.lit.values()].map((one) => one.getBoundingClientRect()).filter(seen);
    const frames = lit.length ? lit : [whole];
    const [left, top] = ["left", "top"].map((edge) => Math.min(...frames.map((one) => one[edge])));
    const [right, bottom] = ["right", "bottom"].map((e) => Math.max(...frames.map((one) => one[e])));
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }

  /** A place on the screen as a place in the drawing. */
  place({ x, y }) {
    return new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  pan(dx, dy) {
    const scale = this.svg.getScreenCTM().a;
    const [x, y, w, h] = this.view;
    this.look([x - dx / scale, y - dy / scale, w, h]);
  }

  // --- pointers ---

  listen() {
    const { svg, pointers } = this;
    svg.addEventListener("click", (event) => this.click(event));
    svg.addEventListener("pointerover", (event) => this.hovered(this.under(event.target)));
    svg.addEventListener("pointerleave", () => this.hovered(null));
    svg.addEventListener("focusin", (event) => this.hovered(this.under(event.target)));
    svg.addEventListener("focusout", () => this.hovered(null));
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), event);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      pointers.set(event.pointerId, { x: event.x, y: event.y });
      if (pointers.size === 1) this.dragged = 0;
    });
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, (event) => pointers.delete(event.pointerId));
    }
  }

  drag(event) {
    const old = this.pointers.get(event.pointerId);
    if (!old || !this.view) return;
    const spread = () => {
      const [a, b] = [...this.pointers.values()];
      return { far: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    };
    const before = this.pointers.size === 2 ? spread() : null;
    const step = { x: event.x - old.x, y: event.y - old.y };
    this.pointers.set(event.pointerId, { x: event.x, y: event.y });
    this.dragged += Math.hypot(step.x, step.y);
    if (before) {
      const now = spread();
      if (before.far > 0) this.zoom(now.far / before.far, now);
      this.pan(now.x - before.x, now.y - before.y);
    } else if (this.dragged > TREMBLE) {
      if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
      this.pan(step.x, step.y);
    }
  }

  under(target) {
    return target.closest?.(".thing, .can, .picked")?.id || null;
  }

  click(event) {
    if (this.dragged > TREMBLE && event.detail !== 0) return;
    const id = this.under(event.target);
    const met = this.blurred(event, id) ? this.near(event) || id : id || this.near(event);
    if (met) this.clicked(met);
  }

  /** Was something met that cannot be clicked, and that is too small for a finger to aim at? */
  blurred({ pointerType }, id) {
    if (pointerType !== "touch" || !id || this.lit.has(id)) return false;
    const { width, height } = this.thing(id).getBoundingClientRect();
    return Math.max(width, height) < MISS;
  }

  /** The lit thing that a finger has just missed. */
  near(event) {
    let best = null;
    let least = MISS;
    for (const [id, thing] of this.lit) {
      const far = distance(event, thing.getBoundingClientRect());
      if (far < least) [best, least] = [id, far];
    }
    return best;
  }
}
