/** Sitting down, getting up, passing the screen on, giving up, and once more. */
import { ask } from "./api.js";
import { $, copy, fill, h, save } from "./dom.js";
import { called } from "./look.js";
import { follow, lookBack, showLog } from "./looking.js";
import { askName, makeMenu, sure } from "./menu.js";
import { callMe, keepSeats, myName } from "./memory.js";
import { board, complain, id, mine, page, root, send } from "./page.js";
import { savePng, saveSvg } from "./picture.js";
import { settle } from "./turn.js";

/** Sit down on an open seat; `took(token)` when it is ours. */
export async function sit(seat, took) {
  const first = !mine().size;
  const other = "Who else plays at this screen?";
  const name = first ? myName() || (await askName("What are you called?")) : await askName(other);
  if (name === null) return;
  if (first) callMe(name);
  try {
    const made = await ask(`/api/tables/${id}/join`, { seat, name });
    keepSeats(id, made.seats);
    took(made.token);
  } catch (refused) {
    complain(refused.message);
  }
}

export const ready = (yes) => mine().forEach((one) => one.send({ type: "ready", ready: yes }));
export const leave = () => mine().forEach((one) => one.send({ type: "leave" }));

/** The host lets an agent play on an open seat. */
export function letPlay(seat, agent) {
  complain("");
  mine().get(page.current.table.host)?.send({ type: "fill", seat, agent });
}

/** If another seat at this screen is to move, it is his turn to look. */
export function handOver() {
  const { back, current, hidden } = page;
  if (back || !current.position) return;
  const next = mine().get(current.position.mover);
  if (!next || next === current || next.position?.at !== current.position.at) return;
  const change = () => {
    page.current = next;
    next.unseen = [];
    $("curtain").hidden = true;
    root.classList.remove("curtained");
    settle();
    showLog();
    page.present(next.position);
  };
  if (hidden === null) return;
  const sides = [current, next].map((one) => one.table.seats[one.number]?.side);
  if (!hidden || sides[0] === sides[1]) return change();
  const name = called(current.table, next.number);
  fill(
    $("curtain"),
    h("p", {}, `${name} is next. Everybody else looks away.`),
    h("button.primary", { onclick: change }, `I am ${name}`),
  );
  $("curtain").hidden = false;
  root.classList.add("curtained");
  $("curtain").querySelector("button").focus();
}

/** The same table again; everybody moves on by one seat, or by none where seats differ. */
export async function rematch() {
  const { current } = page;
  try {
    const taken = [...mine().values()];
    const made = await ask(`/api/tables/${id}/rematch`, {}, taken[0].token);
    const count = current.table.seats.length;
    const step = made.seat - taken[0].number + count;
    const moved = taken.map((one) => ({ seat: (one.number + step) % count, token: one.token }));
    keepSeats(made.table, moved);
    location.href = `/table/${made.table}`;
  } catch (refused) {
    complain(refused.message);
  }
}

async function record() {
  const { current } = page;
  const { status, game } = current.table;
  const seat = status === "over" || current.number === null ? "" : `?seat=${current.number}`;
  try {
    const text = await ask(`/api/tables/${id}/record${seat}`, undefined, current.token);
    save(`${game}-${id}.jsonl`, text, "application/jsonl");
  } catch (refused) {
    complain(refused.message);
  }
}

async function resign() {
  if (await sure("Give up this game?", "Give up")) send({ type: "resign" });
}

const link = (end = "") => copy($("title"), `${location.origin}/table/${id}${end}`);
const home = ["All games", () => (location.href = "/")];

makeMenu(() => {
  const { back, current, shown } = page;
  const { table, position, token, number } = current;
  if (!table) return [home];
  const playing = table.status === "playing";
  const name = `${table.game}-${shown?.at ?? 0}`;
  return [
    position && !back && ["Look back", () => lookBack(position.at)],
    back && playing && ["Back to the present", follow],
    position && ["Download the record", record],
    shown?.box && ["Picture as SVG", () => saveSvg(board.svg, board.box, name)],
    shown?.box && ["Picture as PNG", () => savePng(board.svg, board.box, name)],
    ["Link for spectators", () => link()],
    token && ["Link to your seat", () => link(`#token=${token}`)],
    playing && number !== null && ["Give up", resign],
    home,
  ];
});
