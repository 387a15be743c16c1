/** The keys of the table page. */
import { $, writing } from "./dom.js";
import { follow, lookBack, looking, replay } from "./looking.js";
import { showKeys } from "./menu.js";
import { board, page } from "./page.js";
import { askHint, clicked, confirmDrafts, drafting, undo } from "./turn.js";

const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What keys do; false when they do nothing now. */
const KEYS = {
  "+": () => board.zoom(1.4),
  "=": () => board.zoom(1.4),
  "-": () => board.zoom(1 / 1.4),
  "−": () => board.zoom(1 / 1.4),
  0: () => board.zoom(0),
  "?": showKeys,
  h: askHint,
  r: () => lookBack(page.current.position?.at ?? 0),
  f: () => page.back && page.current.table.status === "playing" && follow(),
  c: () => $("say").querySelector("input").focus(),
  l: () => {
    $("list").open = true;
    $("list").querySelector("input").focus();
  },
  " ": () => (looking() ? replay.toggle() : false),
  Home: () => (looking() ? replay.go(0) : false),
  End: () => (looking() ? replay.go(replay.last) : false),
};

/** Press a key; true when it did something. */
function press({ key, target }) {
  if (key in ARROWS) return arrow(ARROWS[key], target);
  const choosing = key === "Enter" || key === " ";
  const thing = board.under(target);
  if (choosing && thing) return clicked(thing), true;
  if (choosing && target.matches?.("button, a, summary, .swing")) return false;
  if (key === "Enter" && drafting()) return confirmDrafts(), true;
  const button = /^[1-9]$/.test(key) && $("buttons").querySelector(`[data-key="${key}"]`);
  if (button) return button.click(), true;
  const act = KEYS[key] || KEYS[key.toLowerCase()];
  return act ? act() !== false : false;
}

function arrow([dx, dy], target) {
  if (target.matches?.("input, #log") || target.closest?.(".thoughts")) return false;
  if (!looking()) return board.move(dx, dy);
  if (dx) replay.step(dx);
  return Boolean(dx);
}

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (key === "Escape" && !document.querySelector("dialog[open]")) {
    const leaves = writing(target) && !target.closest(".amount");
    return leaves ? target.blur() : undo();
  }
  if (writing(target) || target.closest?.(".menu-items")) return;
  if (press(event)) event.preventDefault();
});
