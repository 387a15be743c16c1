/** The keys of the table page. */
import { $, writing } from "./dom.js";
import { meaning } from "./keymap.js";
import { follow, lookBack, looking, replay } from "./looking.js";
import { showKeys } from "./menu.js";
import { board, page } from "./page.js";
import {
  askHint, choose, clicked, confirmDrafts, drafting, ready, showLast, takeCards, turn, turning,
  undo,
} from "./turn.js";

/** What commands do; false when they do nothing now. */
const ACTS = {
  closer: () => board.zoom(1.4),
  further: () => board.zoom(1 / 1.4),
  whole: () => board.zoom(0),
  help: showKeys,
  recent: showLast,
  inspect: ({ shiftKey }) => board.inspect(shiftKey ? -1 : 1),
  turn: ({ shiftKey }) => turn(shiftKey ? -1 : 1),
  hint: askHint,
  back: () => lookBack(page.current.position?.at ?? 0),
  follow: () => page.back && page.current.table.status === "playing" && follow(),
  chat: () => $("say").querySelector("input").focus(),
  list: () => {
    $("list").open = true;
    $("list").querySelector("input").focus();
  },
  play: () => (looking() ? replay.toggle() : false),
  first: () => (looking() ? replay.go(0) : false),
  last: () => (looking() ? replay.go(replay.last) : false),
};

/** Press a key; true when it did something. */
function press(event) {
  const { key, target } = event;
  const { arrow, button, command } = meaning(key) ?? {};
  if (arrow) return go(arrow, target);
  const pressing = key === "Enter" || key === " ";
  const thing = board.under(target);
  if (pressing && target.matches?.("button, a, summary, .swing")) return false;
  if (key === "Enter" && turning() && (!thing || thing === board.turning)) return choose(), true;
  if (pressing && thing) return clicked(thing), true;
  if (key === "Enter" && ready()) return takeCards(), true;
  if (key === "Enter" && drafting()) return confirmDrafts(), true;
  const beside = button && $("buttons").querySelector(`[data-key="${button}"]`);
  if (beside) return beside.click(), true;
  return command ? ACTS[command](event) !== false : false;
}

/** Follow an arrow, over the board or through the past. */
function go([dx, dy], target) {
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
