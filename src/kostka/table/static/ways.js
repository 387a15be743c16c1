/** Where one can go from here: back to the present, to a rematch, to the other games. */
import { rematch } from "./company.js";
import { $, fill, h, keepFocus } from "./dom.js";
import { follow } from "./looking.js";
import { mine, page } from "./page.js";

export function showWays() {
  keepFocus($("ways"), () => fill($("ways"), ways()));
}

function ways() {
  const { back, current } = page;
  const { status, next } = current.table;
  const made = [];
  if (back && status === "playing") {
    made.push(h("button.primary", { onclick: follow }, "Back to the present"));
  }
  if (status === "over") {
    const words = next ? "To the rematch" : "Play again";
    if (mine().size && current.position) {
      made.push(h("button.primary", { id: "rematch", onclick: rematch }, words));
    } else if (next) made.push(h("a.button", { href: `/table/${next}` }, "Watch the rematch"));
    made.push(h("a.button", { href: "/" }, "All games"));
  }
  if (status === "playing" && !mine().size && !back) {
    made.push(h("p.quiet", {}, "You are watching."));
  }
  return made;
}
