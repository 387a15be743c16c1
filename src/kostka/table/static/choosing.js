/** Several cards chosen together, as rows of − and +, with the keys of a spin button. */
import { h, s } from "./dom.js";
import { spoken } from "./words.js";

/** Cards that have a number key. */
const KEYS = 9;

/**
 * The form of a bundle. `changed(change)` makes a change and shows it, `take()` takes what is
 * chosen, `undo()` goes one step back; `closable`: there is something else to do.
 */
export function bundleForm(bundle, game, changed, take, undo, closable) {
  const { cards, rows, words, verb } = bundle;
  const field = (row) => h("fieldset", {},
    h("legend", {}, row.words, " ", h("span.quiet", {}, bundle.progress(row))),
    row.cards.map((card) => cardField(bundle, game, card, cards.indexOf(card), changed)));
  const submit = (event) => {
    event.preventDefault();
    take();
  };
  const back = bundle.chosen.length || closable;
  return h("form.bundle", { id: "bundle", "aria-label": words, onsubmit: submit },
    rows.map(field),
    h("div.row", {},
      h("button.primary", { id: "take", disabled: !bundle.complete }, verb, h("kbd", {}, "Enter")),
      back && h("button", { type: "button", id: "undo", onclick: undo },
        bundle.chosen.length ? "Undo" : "Cancel", h("kbd", {}, "Esc"))));
}

/** A card with its number: − and +, arrow keys, and a number key that takes one more. */
function cardField(bundle, game, card, n, changed) {
  const add = () => changed(() => bundle.add(card));
  const drop = () => changed(() => bundle.drop(card));
  const by = {
    ArrowUp: add, ArrowRight: add, "+": add,
    ArrowDown: drop, ArrowLeft: drop, "-": drop, Backspace: drop,
  };
  const onkeydown = (event) => {
    if (!by[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    by[event.key]();
  };
  const count = bundle.count(card);
  const { name, limits, symbol } = card;
  const spin = {
    id: `card-${n}`, role: "spinbutton", tabindex: "0", "aria-label": name, "aria-valuenow": count,
    "aria-valuemin": limits[0], "aria-valuemax": limits[1], onkeydown,
  };
  const button = (sign, label, can, onclick, key) =>
    h("button.step", {
      type: "button", tabindex: "-1", "aria-label": label, disabled: !can, "data-key": key, onclick,
    }, sign);
  const picture = symbol &&
    s("svg", { viewBox: "-50 -50 100 100", class: game, "aria-hidden": "true" },
      s("use", { href: `#${symbol}` }));
  return h(count ? "div.kind.some" : "div.kind", {},
    picture,
    h("span.name", { "aria-hidden": "true" }, spoken(name)),
    button("−", `One ${name} less`, bundle.less(card), drop),
    h("b", spin, count),
    button("+", `One more ${name}`, bundle.more(card), add, n < KEYS ? n + 1 : null));
}
