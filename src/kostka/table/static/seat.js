/** One connection to a table, of a seat or of a spectator, and all it has been told. */
import { Line } from "./line.js";

export class Seat {
  /** `heard(seat, message)` after a message, `line(seat, open)` as the connection comes and goes. */
  constructor(id, token, heard, line) {
    Object.assign(this, { token, open: false, before: null, table: null, position: null });
    Object.assign(this, { backdrop: undefined, events: [], talk: [] });
    const hear = (message) => {
      this.take(message);
      heard(this, message);
    };
    const changed = (open) => {
      if (open && !this.open) this.talk = [];
      this.open = open;
      line(this, open);
    };
    this.line = new Line(id, token, hear, changed);
  }

  get number() {
    return this.table?.you ?? null;
  }

  send(message) {
    return this.line.send(message);
  }

  take(message) {
    if (message.backdrop !== undefined) this.backdrop = message.backdrop;
    if (message.type === "table") [this.before, this.table] = [this.table, message];
    else if (message.type === "chat") this.talk.push(message);
    else if (message.type === "position" && !message.replay) this.position = message;
    else if (message.type === "events") {
      const last = message.past ? 0 : (this.events.at(-1)?.n ?? 0);
      if (message.past) this.events = [];
      this.events.push(...message.events.filter((one) => one.n > last));
    }
  }
}
