/**
 * Several cards chosen together: how many of each, within its limits and the total of its row. What
 * is chosen becomes ordinary decisions, row by row; whether they are allowed only the rules say.
 */

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

export class Bundle {
  constructor({ words, verb, rows, apart, then }) {
    const marked = rows.map((row, n) => ({
      ...row,
      cards: row.cards.map((card) => ({ ...card, row: n })),
    }));
    Object.assign(this, { words, verb, rows: marked, apart, then, chosen: [] });
  }

  get cards() {
    return this.rows.flatMap((row) => row.cards);
  }

  /** Does an action take one of these cards, or end the choice? */
  has(action) {
    return action === this.then || this.cards.some((card) => card.action === action);
  }

  /** How many of a card are taken, as it stands. */
  count(card) {
    return card.limits[0] + this.chosen.filter((one) => one === card).length;
  }

  total(row) {
    return sum(row.cards.map((card) => this.count(card)));
  }

  /** May one more be taken, or one less? */
  more(card) {
    const row = this.rows[card.row];
    const twin = this.cards.some((one) => one.name === card.name && one !== card && this.count(one));
    return !(this.apart && twin) && this.count(card) < card.limits[1] && this.total(row) < row.total[1];
  }

  less(card) {
    return this.chosen.includes(card);
  }

  add(card) {
    return this.more(card) && Boolean(this.chosen.push(card));
  }

  drop(card) {
    const at = this.chosen.lastIndexOf(card);
    return at >= 0 && Boolean(this.chosen.splice(at, 1));
  }

  /** Take the last card back; false when there is none. */
  back() {
    return Boolean(this.chosen.pop());
  }

  /**
   * The card that a thing on the board stands for now, if one more can be taken: of two cards that
   * share a thing the one of the first row that is not full.
   */
  at(thing) {
    return this.cards.find((card) => card.thing === thing && this.more(card));
  }

  /** The things on the board that can be clicked now. */
  things() {
    const found = this.cards.filter((card) => card.thing && this.more(card));
    return [...new Set(found.map((card) => card.thing))];
  }

  get complete() {
    return this.rows.every((row) => this.total(row) >= row.total[0]) && this.actions().length > 0;
  }

  /** The decisions that take what is chosen, in the notation of the game. */
  actions() {
    const taken = this.cards.flatMap((card) => Array(this.count(card)).fill(card.action));
    return this.then && taken.length ? [...taken, this.then] : taken;
  }

  /** How far a row is: "2 of 4", or "1, up to 2". */
  progress(row) {
    const [low, high] = row.total;
    const have = this.total(row);
    return low === high ? `${have} of ${high}` : `${have} of ${low} to ${high}`;
  }

  /** What a click on a card's thing would do. */
  telling(card) {
    return `${this.rows[card.row].words}: one ${card.name}`;
  }

  /** What is chosen, in words. */
  told() {
    return this.rows
      .map((row) => {
        const taken = row.cards.filter((card) => this.count(card));
        const names = taken.map((card) => `${this.count(card)} ${card.name}`).join(", ");
        return `${row.words}: ${names || "nothing yet"} (${this.progress(row)})`;
      })
      .join("; ");
  }
}
