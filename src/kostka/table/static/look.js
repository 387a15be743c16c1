/** What a seat is known by, the same as in `kostka.core.palette`: never the colour alone. */
import { s } from "./dom.js";

export const PLAYERS = [
  ["Blue", "#2f6db3", "M-.9 0a.9 .9 0 1 0 1.8 0a.9 .9 0 1 0 -1.8 0Z"],
  ["Orange", "#e08a1e", "M0 -1L1 .75H-1Z"],
  ["Green", "#2c8c6a", "M-.8 -.8H.8V.8H-.8Z"],
  ["Purple", "#8d5aa8", "M0 -1.08L.85 0L0 1.08L-.85 0Z"],
  ["Red", "#c8433f",
    "M0 -1.1L.28 -.38L1.05 -.34L.45 .15L.65 .89L0 .47L-.65 .89L-.45 .15L-1.05 -.34L-.28 -.38Z"],
  ["Sand", "#9c8b5a", "M0 -1L.95 -.31L.59 .81H-.59L-.95 -.31Z"],
  ["Sky", "#57b0d6", "M-.33 -.95H.33V-.33H.95V.33H.33V.95H-.33V.33H-.95V-.33H-.33Z"],
  ["Charcoal", "#4b4b4b",
    "M-.9 -.45L-.45 -.9L0 -.45L.45 -.9L.9 -.45L.45 0L.9 .45L.45 .9L0 .45L-.45 .9L-.9 .45L-.45 0Z"],
];

const of = (seat) => PLAYERS[seat % PLAYERS.length];

export const colourName = (seat) => of(seat)[0];
export const colour = (seat) => of(seat)[1];

/** The shape of a seat in its colour. */
export function mark(seat) {
  const [name, fill, path] = of(seat);
  const shape = s("path", { d: path, fill });
  return s("svg.mark", { viewBox: "-1.25 -1.25 2.5 2.5", role: "img", "aria-label": name }, shape);
}

/** A player as others speak of him: his name, and his colour where he has none. */
export const called = (table, seat) => table.seats[seat]?.name || role(table, seat) || colourName(seat);

/** What a seat is called where seats differ: Mr X; of several detectives also the colour. */
function role(table, seat) {
  const own = table.seats[seat]?.role;
  const alone = table.seats.filter((one) => one.role === own).length === 1;
  return own && (alone ? own : `${colourName(seat)} ${own}`);
}
