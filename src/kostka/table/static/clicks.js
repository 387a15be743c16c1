/**
 * An action is a path of clicks, in every game alike. An element of a path is a thing on the board
 * ("t17"), a button beside it ("!end") or an amount ({amount: [low, high, value]}). No path is the
 * beginning of another one.
 */

export const isAmount = (element) => typeof element === "object" && element !== null;
export const isButton = (element) => typeof element === "string" && element.startsWith("!");

/** Are two elements the same? */
export function same(a, b) {
  return isAmount(a) ? isAmount(b) && a.amount[2] === b.amount[2] : a === b;
}

const begins = (path, start) => start.every((element, n) => n < path.length && same(path[n], element));

export class Clicks {
  constructor(legal = []) {
    this.legal = legal.filter((one) => one.clicks?.length);
    this.path = [];
  }

  /** The actions that are still possible after what was clicked, or would be after `more`. */
  open(...more) {
    const start = [...this.path, ...more];
    return this.legal.filter((one) => begins(one.clicks, start));
  }

  /** What can be clicked next, each thing once: a map from thing to the actions it leads to. */
  next() {
    const found = new Map();
    for (const one of this.open()) {
      const element = one.clicks[this.path.length];
      if (isAmount(element)) continue;
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

  /**
   * Click: {action} when a path is complete, {path: true} when it went on or back, {refused} with
   * the clicks that make no action.
   */
  click(element) {
    const before = this.path.findIndex((one) => same(one, element));
    const on = this.open(element);
    if (on.length) return this.take([...this.path, element], on);
    if (before >= 0) {
      this.path = this.path.slice(0, before);
      return { path: true };
    }
    const anew = this.legal.filter((one) => same(one.clicks[0], element));
    if (anew.length) return this.take([element], anew);
    return { refused: [...this.path, element] };
  }

  take(path, left) {
    const whole = left.find((one) => one.clicks.length === path.length);
    this.path = whole ? [] : path;
    return whole ? { action: whole } : { path: true };
  }

  /** Take the last click back; false when there was none. */
  back() {
    return Boolean(this.path.pop());
  }
}
