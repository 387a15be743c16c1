/** The menu of the table, the page of keys, and questions that want a yes. */
import { $, fill, h } from "./dom.js";

/** `items()` gives [words, act] or nothing; the menu is made anew each time it opens. */
export function makeMenu(items) {
  const [button, box] = [$("menu"), $("menu-items")];
  const close = () => {
    box.hidden = true;
    button.setAttribute("aria-expanded", "false");
  };
  const item = ([words, act]) => h("button", { onclick: () => (close(), act()) }, words);
  button.addEventListener("click", () => {
    if (!box.hidden) return close();
    fill(box, items().filter(Boolean).map(item));
    box.hidden = false;
    button.setAttribute("aria-expanded", "true");
    box.firstChild?.focus();
  });
  document.addEventListener("click", (event) => event.target.closest(".menu") || close());
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      close();
      button.focus();
    }
    if (!step) return;
    const all = [...box.children];
    all.at((all.indexOf(document.activeElement) + step) % all.length)?.focus();
    event.preventDefault();
  });
}

const HOW =
  "What can be chosen is lit up: click it, then what is lit up next. Clicking it again, or " +
  "Escape, takes that back. A click that is not allowed is explained. Wheel or two fingers look " +
  "closer; drag to move. What can be turned is turned by clicking it again.";

const KEYS = [
  ["← ↑ → ↓", "to the next place that can be chosen; looking back, to the previous or next move"],
  ["Enter", "choose it; confirm what was drafted"],
  ["Esc", "take the last click or draft back"],
  ["1 – 9", "the buttons beside the board, in order"],
  ["L", "the plain list of all actions"],
  ["+ − 0", "closer, further away, the whole board"],
  ["R", "turn what is picked; with Shift, the other way"],
  ["M", "the last move"],
  ["I", "everything on the board in turn, with what there is to say of it; with Shift, backwards"],
  ["H", "a hint, at a casual table"],
  ["B F", "look back, and return to the present"],
  ["Space", "when looking back: play and stop"],
  ["Home End", "the first and the last position"],
  ["C", "say something"],
  ["?", "this page"],
];

export function showKeys() {
  const cap = (key) => (key === "–" ? " – " : h("kbd", {}, key));
  const rows = KEYS.map(([keys, words]) => [
    h("dt", {}, keys.split(" ").map(cap)),
    h("dd", {}, words),
  ]);
  const dialog = fill($("keys"), h("form", { method: "dialog" },
    h("h2", { id: "keys-title" }, "Playing by mouse, touch and keys"),
    h("p", {}, HOW),
    h("dl.keys", {}, rows),
    h("div.row", {}, h("button.primary", { autofocus: true }, "Good"))));
  dialog.showModal();
}

/** Ask for a yes: what is in the field, true without one, or null. */
function question(words, yes, field) {
  const dialog = $("sure");
  const no = { type: "button", autofocus: !field, onclick: () => dialog.close("no") };
  return new Promise((done) => {
    fill(dialog, h("form", { method: "dialog" }, h("p", {}, words), field,
      h("div.row", {}, h("button.primary", { value: "yes" }, yes), h("button", no, "No"))));
    dialog.onclose = () => done(dialog.returnValue === "yes" ? (field?.value ?? true) : null);
    dialog.returnValue = "no";
    dialog.showModal();
  });
}

export const sure = (words, yes) => question(words, yes);

/** Ask for a name; null when nobody wants to give one. */
export function askName(words) {
  const given = { maxlength: 40, autofocus: true, placeholder: "name", "aria-label": words };
  return question(words, "Sit down", h("input", given));
}
