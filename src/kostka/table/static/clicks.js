/**
 * An action is a path of clicks, in every game alike. An element of a path is a thing on the board
 * ("t17"), a button beside it ("!end"), an amount ({amount: [low, high, value]}) or one of several
 * choices that lie on top of each other ({choice: name, verbs: [next, take]}), of which one is
 * shown at a time. No path is the beginning of another one.
 */

const has = (name) => (element) => typeof element === "object" && element !== null && name in element;

export const isAmount = has("amount");
export const isChoice = has("choice");
export const isButton = (element) => typeof element === "string" && element.startsWith("!");
export const isThing = (element) => typeof element === "string" && !isButton(element);

/** Are two elements the same? */
export function same(a, b) {
  if (isAmount(a)) return isAmount(b) && a.amount[2] === b.amount[2];
  if (isChoice(a)) return isChoice(b) && a.choice === b.choice;
  return a === b;
}

const begins = (path, start) => start.every((element, n) => n < path.length && same(path[n], element));

export class Clicks {
  constructor(legal = []) {
    this.legal = legal.filter((one) => one.clicks?.length);
    this.path = [];
    /** The name of the choice that was shown last: another place shows the same one first. */
    this.liked = null;
  }

  /** The actions that are still possible after what was clicked, or would be after `more`. */
  open(...more) {
    return this.after([...this.path, ...more]);
  }

  after(start) {
    return this.legal.filter((one) => begins(one.clicks, start));
  }

  /**
   * What can be clicked next, each thing once: a map from thing to the actions it leads to. While
   * something is turned, that is also where it could be turned instead.
   */
  next() {
    const found = this.named(this.path);
    if (this.choices().length && this.path.length) {
      for (const [element, actions] of this.named(this.path.slice(0, -1))) {
        if (!same(element, this.path.at(-1))) found.set(element, actions);
      }
    }
    return found;
  }

  /** The things and buttons that go on from a path. */
  named(start) {
    const found = new Map();
    for (const one of this.after(start)) {
      const element = one.clicks[start.length];
      if (typeof element !== "string") continue;
      if (!found.has(element)) found.set(element, []);
      found.get(element).push(one);
    }
    return found;
  }

  /** The amounts that can be chosen next, the smallest first, or null. */
  amounts() {
    const found = this.open()
      .map((one) => one.clicks[this.path.length])
      .filter(isAmount)
      .map((element) => element.amount[2]);
    return found.length ? [...new Set(found)].sort((a, b) => a - b) : null;
  }

  /** What an amount leads to, if only one action is left then. */
  byAmount(value) {
    const found = this.open({ amount: [0, 0, value] });
    return found.length === 1 ? found[0] : null;
  }

  // --- choices that lie on top of each other ---

  /** The choices that can be taken next, each once, in the order of the actions. */
  choices(start = this.path) {
    const found = this.after(start).map((one) => one.clicks[start.length]).filter(isChoice);
    return found.filter((one, n) => found.findIndex((other) => same(one, other)) === n);
  }

  /** The choice that lies on top; null where there is none. */
  top(start = this.path) {
    const found = this.choices(start);
    return found.find((one) => one.choice === this.liked) ?? found[0] ?? null;
  }

  /** Show the next choice, or the one before; false where there is none. */
  turn(by = 1) {
    const found = this.choices();
    if (!found.length) return false;
    this.liked = found.at((found.indexOf(this.top()) + by) % found.length).choice;
    return true;
  }

  /** What an action that begins so would be, as far as it can be shown: null if that is open. */
  meant(start = this.path) {
    const top = this.top(start);
    const found = this.after(top ? [...start, top] : start);
    return top || found.length === 1 ? found[0] : null;
  }

  // --- clicking ---

  /**
   * Click: {action} when a path is complete, {path: true} when it went on, round or back,
   * {refused} with the clicks that make no action.
   */
  click(element) {
    const before = this.path.findIndex((one) => same(one, element));
    const turning = this.choices().length > 0 && this.path.length > 0;
    const at = turning ? this.path.slice(0, -1) : this.path;
    const starts = [[...this.path, element], ...(turning ? [[...at, element]] : []), [element]];
    if (turning && before === this.path.length - 1) return { path: this.turn() };
    if (before >= 0 && !this.after(starts[0]).length) {
      this.path = this.path.slice(0, before);
      return { path: true };
    }
    const found = starts.find((start) => this.after(start).length);
    return found ? this.take(found, this.after(found)) : { refused: [...at, element] };
  }

  take(path, left) {
    const alone = left.length === 1 && left[0].clicks.slice(path.length).every(isChoice);
    const whole = alone ? left[0] : left.find((one) => one.clicks.length === path.length);
    this.path = whole ? [] : path;
    return whole ? { action: whole } : { path: true };
  }

  /** Take the last click back; false when there was none. */
  back() {
    return Boolean(this.path.pop());
  }
}
