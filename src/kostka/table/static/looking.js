/** Looking back at a game, and what it was about. */
import { ask } from "./api.js";
import { $, fill } from "./dom.js";
import { entries } from "./entries.js";
import { called } from "./look.js";
import { ledger, Log, thoughts } from "./panel.js";
import { board, id, mine, page, root, send } from "./page.js";
import { Replay } from "./replay.js";

const given = new URLSearchParams(location.search);

export const replay = new Replay($("replay"), look, follow);
const log = new Log($("log"), (at) => lookBack(at));

/** Is the past what arrow keys move through? */
export function looking() {
  return Boolean(page.back || (page.current?.table?.status === "over" && page.current.position));
}

export function showLog() {
  const { events, table } = page.current;
  log.show(table, events);
  replay.setSteps(entries(events));
}

/** The bar below the board: always after a game, and while one looks back. */
export function showReplay() {
  const { back, current } = page;
  if (current.table.status === "waiting" || !current.position) return;
  $("replay").hidden = !looking();
  replay.update(current.table, current.position.at, mine());
  if (!back) replay.show((replay.at = current.position.at));
}

/** Look at the position after so many events; `whose`: a seat, null for everybody, or "all". */
export function lookBack(at, whose) {
  const { current } = page;
  if (!current.position) return;
  if (!page.back) {
    const usual = current.table.status === "over" ? "all" : current.number;
    page.back = { asked: false, wanted: null };
    replay.whose = whose === undefined ? usual : whose;
    replay.eyes.value = replay.whose === null ? "" : String(replay.whose);
  }
  replay.update(current.table, current.position.at, mine());
  replay.go(at);
}

/** Ask for a position: one at a time, and then the one that was wanted last. */
function look(at, whose) {
  const { back } = page;
  if (!back) return lookBack(at);
  if (back.asked) back.wanted = [at, whose];
  else back.asked = send({ type: "look", at, as: whose });
  if (root.dataset.mode !== "replay") return;
  const eyes = whose === null ? "" : `&as=${whose}`;
  history.replaceState(null, "", `${location.pathname}?at=${at}${eyes}`);
}

/** The server has shown a position of the past. */
export function looked(position) {
  const { wanted } = page.back;
  page.back = { asked: false, wanted: null };
  page.shown = position;
  board.show({ ...position, backdrop: page.current.backdrop }, page.current.table.game);
  page.refresh();
  const entry = entries(page.current.events).findLast((one) => one.to <= position.at);
  log.mark(entry ? entry.to : null);
  const other = wanted && (wanted[0] !== position.at || wanted[1] !== (position.as ?? null));
  if (other) look(...wanted);
}

/** Back to the present. */
export function follow() {
  replay.stop();
  page.back = null;
  page.current.unseen = [];
  log.mark(null);
  page.arrive();
}

// --- what the game was about ---

export async function analyse() {
  const { current } = page;
  if (page.analysis !== null || !current.table.result) return;
  page.analysis = false;
  replay.waiting("Working out what everybody could expect …");
  try {
    page.analysis = await ask(`/api/tables/${id}/analysis`);
    replay.draw(page.analysis);
    showSide();
  } catch (refused) {
    replay.waiting(refused.message);
  }
}

/** Beside the log: a hint, what an agent considered, luck and turning points. */
export function showSide() {
  const { analysis, back, current, hint } = page;
  const point = (action) => board.point(action);
  const parts = [];
  if (hint && !back) parts.push(thoughts("A strong agent would consider", hint, null, point));
  if (analysis && looking()) {
    const at = back ? replay.at : current.position.at;
    const found = analysis.considered.find((one) => one.at === at);
    if (found) {
      const title = `${called(current.table, found.by)} considered here`;
      parts.push(thoughts(title, found.actions, found.did, point));
    }
    parts.push(ledger(current.table, analysis, current.table.result));
    parts.push(replay.turning());
  }
  fill($("side"), parts);
}

/** A link to a move opens it as soon as the game is known. */
export function openLink() {
  const { table, position } = page.current;
  if (openLink.done || !table || !position) return;
  openLink.done = true;
  if (root.dataset.mode !== "replay" && !given.has("at")) return;
  const first = table.status === "over" ? 0 : position.at;
  lookBack(/^\d+$/.test(given.get("at")) ? Number(given.get("at")) : first, eyes(table));
}

/** Whose eyes a link asks for; undefined for the usual ones. */
function eyes(table) {
  const asked = given.get("as");
  if (asked === "all") return "all";
  return /^\d+$/.test(asked) && asked < table.seats.length ? Number(asked) : undefined;
}
