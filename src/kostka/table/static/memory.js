/** What this browser remembers: your name, your seats, and the tables you were at. */

const RECENT = 12;

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`kostka.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(`kostka.${key}`);
    else localStorage.setItem(`kostka.${key}`, JSON.stringify(value));
  } catch {
    // Without storage a seat lasts as long as its link.
  }
}

export const myName = () => read("name", "");
export const callMe = (name) => write("name", name.trim().slice(0, 40));

/** What was chosen last time, by game. */
export const habit = (game) => read(`habit.${game}`, {});
export const keepHabit = (game, chosen) => write(`habit.${game}`, { ...habit(game), ...chosen });

/** The tokens of your seats at a table, by seat. */
export const seatsAt = (table) => read(`seats.${table}`, {});

/** Keep the right to seats: a list of `seat` and `token`. */
export function keepSeats(table, seats) {
  const kept = seatsAt(table);
  for (const { seat, token } of seats) kept[seat] = token;
  write(`seats.${table}`, kept);
}

/** A seat was given back, or its token is wrong. */
export function dropToken(table, token) {
  const kept = Object.entries(seatsAt(table)).filter(([, held]) => held !== token);
  write(`seats.${table}`, kept.length ? Object.fromEntries(kept) : null);
}

/** The tables you were at, the latest first. */
export const recent = () => read("recent", []);

/** Keep a table among the recent ones; the seats of those that fall out are forgotten. */
export function remember({ id, title, name, status }) {
  const others = recent().filter((one) => one.id !== id);
  const all = [{ id, title, name, status, when: Date.now() }, ...others];
  for (const old of all.slice(RECENT)) write(`seats.${old.id}`, null);
  write("recent", all.slice(0, RECENT));
}

export const forget = (id) => write("recent", recent().filter((one) => one.id !== id));
