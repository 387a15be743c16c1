/** What all parts of the table page share: who is connected, and what is on the board. */
import { Board } from "./board.js";
import { $, tell } from "./dom.js";
import { Effects } from "./effects.js";
import { sentence } from "./words.js";

export const root = $("table");
export const id = root.dataset.table;

export const page = {
  /** The connections of this browser, and the one whose eyes are used. */
  seats: [],
  current: null,
  /** The position on the board: the present one, a draft, or one of the past. */
  shown: null,
  /** While looking back: what was asked for. */
  back: null,
  /** The seat of an agent at work. */
  thinking: null,
  /** What a strong agent considers, once it was asked. */
  hint: null,
  /** After the game: what it was about. */
  analysis: null,
  /** The agents there are for open seats; null: nobody has asked yet. */
  levels: null,
  /** Do seats see different things? Null: nobody knows yet. */
  hidden: null,
  /** Set by the page itself: draw what is around the board, say what is expected, show a position,
   * or the present one. */
  refresh: () => {},
  speak: () => {},
  present: () => {},
  arrive: () => {},
  clicked: () => {},
  hovered: () => {},
  turned: () => {},
};

export const board = new Board(
  $("drawing"),
  (thing) => page.clicked(thing),
  (thing) => page.hovered(thing),
  (by) => page.turned(by),
);
export const effects = new Effects(board);

/** The seats at this screen: a map from their numbers. */
export function mine() {
  const seated = page.seats.filter((one) => one.number !== null);
  return new Map(seated.map((one) => [one.number, one]));
}

/** Is it the turn of who looks? */
export function yours() {
  const { back, current } = page;
  return Boolean(
    !back && current?.position && current.number !== null && current.position.mover === current.number,
  );
}

/** Is who looks to decide something while the turn is somebody else's? */
export function asked() {
  const { turn } = page.shown ?? {};
  return yours() && Number.isInteger(turn) && turn !== page.current.number;
}

/** Explain what was refused; nothing takes the explanation away. */
export const complain = (words) => tell($("line"), words ? sentence(words) : "");

/** Send a message for who looks. */
export function send(message) {
  const sent = page.current.send(message);
  if (!sent) complain("There is no connection at the moment; it comes back by itself");
  return sent;
}

let quiet = 0;

/** Say something below the board for a moment. */
export function say(words) {
  tell($("says"), sentence(words));
  quiet = performance.now() + 1800;
  setTimeout(() => performance.now() >= quiet && tell($("says"), ""), 1900);
}

/** Say something below the board as long as it is pointed at. */
export function whisper(words) {
  if (performance.now() >= quiet) tell($("says"), words ? sentence(words) : "");
}
