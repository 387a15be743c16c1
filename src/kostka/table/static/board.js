/** The board: a drawing that is replaced layer by layer, looked at closely, and clicked. */
import { isThing } from "./clicks.js";
import { fill, h, lively, s } from "./dom.js";
import {
  between, closest, distance, fitted, framed, meets, onward, zoomed,
} from "./geometry.js";

/** Pixels a pointer may tremble during a click, and by which a finger may miss. */
const TREMBLE = 6;
const MISS = 22;
/** Milliseconds of going from one view to another, and pixels of the wheel from choice to choice. */
const GLIDE = 200;
const NOTCH = 60;
const LINE = 20;
const UNDRAWN = "This game has no picture. The buttons and the list of actions are all it needs.";

/** The middle of a frame. */
const centre = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** The middle of what surrounds things on the screen. */
function around(things) {
  const frames = things.map((one) => one.getBoundingClientRect());
  const [left, top] = ["left", "top"].map((edge) => Math.min(...frames.map((one) => one[edge])));
  const [right, bottom] = ["right", "bottom"].map((e) => Math.max(...frames.map((one) => one[e])));
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

export class Board {
  /**
   * `clicked(id)` when a thing is clicked, `hovered(id or null)` when one is pointed at,
   * `turned(by)` when the wheel turns over the thing where choices lie.
   */
  constructor(root, clicked, hovered, turned) {
    Object.assign(this, { root, clicked, hovered, turned, box: null, view: null, lit: new Map() });
    this.still = s("g");
    this.moving = s("g");
    this.over = s("g", { "aria-hidden": "true" });
    const parts = [this.still, this.moving, this.over];
    this.svg = s("svg", { role: "group", "aria-label": "The board" }, parts);
    this.pointers = new Map();
    this.lay();
    this.listen();
  }

  // --- drawing ---

  /** Show a position of a game; what does not change comes only with the first. */
  show({ backdrop, layer, box }, game) {
    if (!box) return fill(this.root, h("p.undrawn", {}, UNDRAWN));
    if (!this.svg.isConnected) fill(this.root, this.svg);
    if (backdrop !== undefined && backdrop !== this.backdrop) {
      this.still.innerHTML = backdrop;
      this.backdrop = backdrop;
    }
    const focused = this.moving.contains(document.activeElement) ? document.activeElement.id : null;
    this.moving.innerHTML = layer;
    this.over.setAttribute("class", `${game} preview`);
    if (box !== this.boxText) {
      this.boxText = box;
      this.grow(box.split(/[\s,]+/).map(Number));
    }
    this.focusNext = focused ?? this.focusNext;
  }

  /** Lay a choice over the board, to be turned at a thing; without one there is nothing to turn. */
  lay(svg = "", at = null) {
    Object.assign(this, { laid: svg, turning: at, rolled: 0 });
    this.ghost();
  }

  /** Show what an action would do as long as it is pointed at. */
  ghost(svg = "") {
    const shown = svg || this.laid;
    if (shown !== this.previewed) this.over.innerHTML = this.previewed = shown;
    this.over.classList.toggle("ghost", Boolean(svg));
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
    const byKeys = !active || document.activeElement.matches(":focus-visible");
    for (const old of this.svg.querySelectorAll(".can, .picked")) {
      old.classList.remove("can", "picked");
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) old.removeAttribute(name);
    }
    this.lit = new Map();
    const dress = (id, name) => {
      const thing = isThing(id) ? this.thing(id) : null;
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
    const free = active || document.activeElement === document.body;
    if (focused && free) first?.focus({ preventScroll: true });
    this.focusNext = !first && byKeys ? focused : null;
  }

  /** Point out an action without making it clickable, for a hint or a replay. */
  point({ clicks = [], preview = "" } = {}) {
    for (const old of this.svg.querySelectorAll(".pointed")) old.classList.remove("pointed");
    for (const id of clicks.filter(isThing)) this.thing(id)?.classList.add("pointed");
    this.ghost(preview);
  }

  /** The middle of a thing in pixels of the board's section, once it has come to rest. */
  middle(id) {
    const thing = this.thing(id);
    return thing && this.amid([thing]);
  }

  /** The middle of things, likewise. */
  amid(things) {
    const place = this.place(around(things));
    const [x, y, w, h] = this.view;
    const { clientWidth: wide, clientHeight: high } = this.root;
    return { x: ((place.x - x) / w) * wide, y: ((place.y - y) / h) * high };
  }

  /** What the last move has brought. */
  last() {
    return [...this.moving.querySelectorAll(".last")];
  }

  // --- keys ---

  /** Move the focus to the nearest lit thing in a direction: dx, dy in -1, 0, 1. */
  move(dx, dy) {
    const things = [...this.lit.values()];
    if (!things.length) return false;
    const middle = (thing) => Object.values(centre(thing.getBoundingClientRect()));
    const from = things.includes(document.activeElement) ? document.activeElement : null;
    if (!from) {
      this.focus(things.find((one) => one.getAttribute("tabindex") === "0") || things[0]);
      return true;
    }
    const others = things.filter((one) => one !== from);
    const best = onward(others.map(middle), middle(from), [dx, dy]);
    if (best >= 0) this.focus(others[best]);
    return true;
  }

  /** Move the focus to the next thing with a name, whether or not it can be chosen. */
  inspect(by) {
    const named = [...this.svg.querySelectorAll(".thing")].filter((one) => one.querySelector("title"));
    if (!named.length) return false;
    const middle = (thing) => centre(thing.getBoundingClientRect());
    const places = new Map(named.map((thing) => [thing, middle(thing)]));
    named.sort((a, b) => places.get(a).y - places.get(b).y || places.get(a).x - places.get(b).x);
    const at = named.indexOf(document.activeElement);
    const next = named.at((at < 0 && by < 0 ? at : at + by) % named.length);
    if (!next.hasAttribute("tabindex")) {
      for (const [name, value] of [["tabindex", "-1"], ["role", "img"], ["aria-label", this.name(next.id)]]) {
        next.setAttribute(name, value);
      }
    }
    next.focus({ preventScroll: true });
    this.bring([next]);
    return true;
  }

  focus(thing) {
    for (const one of this.lit.values()) one.setAttribute("tabindex", one === thing ? "0" : "-1");
    thing.focus({ preventScroll: true });
    this.bring([thing]);
  }

  // --- looking closely ---

  /** The whole board in the shape of its frame: what is looked at is as large as the frame. */
  get whole() {
    return framed(this.box, this.shape());
  }

  shape() {
    const { clientWidth: wide, clientHeight: high } = this.root;
    return wide && high ? wide / high : this.box[2] / this.box[3];
  }

  /**
   * The board has another size. Whoever looks closely keeps what they look at, whoever sees
   * everything goes on seeing everything, and the frame keeps the shape it was given first.
   */
  grow(box) {
    const first = !this.box;
    this.box = box;
    if (first) {
      this.root.style.setProperty("--ratio", box[2] / box[3]);
      this.start = box;
      this.look(this.whole);
      new ResizeObserver(() => this.resized()).observe(this.root);
    } else if (!this.close) this.look(this.whole, GLIDE);
    else if (!meets(this.view, box)) this.look(this.view, GLIDE);
  }

  /** The frame has another size: what is looked at keeps its size and its middle. */
  resized() {
    const wide = this.root.clientWidth;
    if (!wide) return;
    const [x, y, w, h] = this.view;
    const width = (w * wide) / (this.wide || wide);
    const height = width / this.shape();
    this.wide = wide;
    const kept = [x + (w - width) / 2, y + (h - height) / 2, width, height];
    this.look(this.close ? kept : this.whole);
  }

  look(wanted, time = 0) {
    const { whole } = this;
    this.view = fitted(whole, wanted, closest(framed(this.start, this.shape())[2]));
    this.close = this.view[2] < 0.999 * whole[2];
    this.root.classList.toggle("close", this.close);
    this.glide(this.view, lively() ? time : 0);
  }

  glide(to, time) {
    cancelAnimationFrame(this.gliding);
    const from = this.seen;
    const begun = performance.now();
    const on = (now) => {
      const share = time ? Math.min(1, Math.max(0, now - begun) / time) : 1;
      this.seen = share < 1 ? between(from, to, share) : to;
      this.svg.setAttribute("viewBox", this.seen.map((n) => n.toFixed(2)).join(" "));
      if (share < 1) this.gliding = requestAnimationFrame(on);
    };
    on(begun);
  }

  /** Bring things into sight, for whoever looks closely. */
  bring(things) {
    if (!this.close) return;
    const place = this.place(around(things));
    const [left, top, w, h] = this.view;
    const [across, down] = [place.x - left - w / 2, place.y - top - h / 2].map(Math.abs);
    if (across < 0.4 * w && down < 0.4 * h) return;
    this.look([place.x - w / 2, place.y - h / 2, w, h], GLIDE);
  }

  /** Zoom by a factor around a place in pixels (by default the middle); 0 shows everything. */
  zoom(factor, at) {
    if (!this.box) return;
    if (!factor) return this.look(this.whole);
    this.look(zoomed(this.view, this.place(at || this.centre()), factor));
  }

  /** What is looked at: the middle of the things that can be clicked and seen, or of everything. */
  centre() {
    const whole = this.svg.getBoundingClientRect();
    const seen = (thing) => {
      const { left, right, top, bottom } = thing.getBoundingClientRect();
      return left >= whole.left && right <= whole.right && top >= whole.top && bottom <= whole.bottom;
    };
    const lit = [...this.lit.values()].filter(seen);
    return lit.length ? around(lit) : centre(whole);
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
      if (!event.ctrlKey && this.turning && this.under(event.target) === this.turning) {
        return this.roll(event);
      }
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

  /** The wheel turns what lies at a thing, by one for each notch. */
  roll({ deltaY, deltaMode }) {
    this.rolled += deltaMode ? LINE * deltaY : deltaY;
    if (Math.abs(this.rolled) < NOTCH) return;
    this.turned(Math.sign(this.rolled));
    this.rolled = 0;
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
