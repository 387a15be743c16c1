/** A WebSocket that comes back by itself. */
import { myName } from "./memory.js";

const FIRST = 300;
const LONGEST = 4000;

export class Line {
  /** `hear` gets every message, `changed` true or false as the line opens and breaks. */
  constructor(table, token, hear, changed) {
    Object.assign(this, { table, token, hear, changed, wait: FIRST, ended: false });
    this.again = () => this.socket?.readyState === WebSocket.CLOSED && this.open();
    addEventListener("online", this.again);
    document.addEventListener("visibilitychange", this.again);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    if (this.ended) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${this.table}/play`);
    this.socket = socket;
    const hello = this.token ? { token: this.token } : { name: myName() };
    socket.onopen = () => this.send({ type: "hello", ...hello });
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "error" && message.re === "hello") this.end();
      else if (message.type === "table") {
        this.wait = FIRST;
        this.changed(true);
      }
      this.hear(message);
    };
    socket.onclose = () => {
      if (this.ended || socket !== this.socket) return;
      this.changed(false);
      this.timer = setTimeout(() => this.open(), this.wait * (0.8 + 0.4 * Math.random()));
      this.wait = Math.min(LONGEST, 2 * this.wait);
    };
  }

  /** Send a message; false when there is nobody to hear it. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.again);
    document.removeEventListener("visibilitychange", this.again);
    this.socket.close();
  }
}
