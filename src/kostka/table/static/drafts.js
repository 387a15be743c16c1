/** Decisions on their way to the server: drafted ones, which nobody is told of, and sent ones. */

export class Drafts {
  /** `send(message)` is false when there is nobody to hear it. */
  constructor(send) {
    this.send = send;
    this.settle();
  }

  /** Nothing is drafted or waited for. */
  settle() {
    Object.assign(this, { taken: [], tried: null, waiting: false });
  }

  /** One more decision: tried as a draft, or sent with all drafts where nothing can follow it. */
  decide(at, action) {
    const actions = [...this.taken, action];
    return action.ends ? this.act(at, actions) : this.draft(at, actions);
  }

  confirm(at) {
    return this.act(at, this.taken);
  }

  /** Several decisions in notation, after all drafts. */
  actAll(at, actions) {
    return this.act(at, [...this.taken, ...actions.map((action) => ({ action }))]);
  }

  /** Take the last draft back; true when that leaves the present. */
  back(at) {
    if (this.taken.length > 1) this.draft(at, this.taken.slice(0, -1));
    else return this.taken.splice(0).length > 0;
    return false;
  }

  /** The server has tried what was asked for; false when nothing was. */
  drafted() {
    if (!this.tried) return false;
    Object.assign(this, { taken: this.tried, tried: null, waiting: false });
    return true;
  }

  act(at, actions) {
    return this.ask({ type: "act", at }, actions);
  }

  draft(at, actions) {
    const sent = this.ask({ type: "draft", at }, actions);
    this.tried = sent ? actions : null;
    return sent;
  }

  ask(message, actions) {
    this.waiting = this.send({ ...message, actions: actions.map((one) => one.action) });
    return this.waiting;
  }
}
