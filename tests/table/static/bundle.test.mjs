/** Cards are chosen together within limits and totals, and become decisions row by row. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Bundle } from "../../../src/kostka/table/static/bundle.js";

const card = (verb, name, high, thing) =>
  ({ name, action: `${verb} ${name}`, limits: [0, high], thing });

const offer = () => new Bundle({
  words: "Make an offer", verb: "Offer", apart: true, then: "propose",
  rows: [
    { words: "You give", total: [1, 2], cards: [card("give", "fig", 2, "h-fig"), card("give", "nut", 1, "h-nut")] },
    { words: "You want", total: [1, 1], cards: [card("want", "fig", 1, "b-fig"), card("want", "nut", 1, "b-nut")] },
  ],
});

const discard = () => new Bundle({
  words: "Discard", verb: "Discard", apart: false, then: null,
  rows: [{ words: "You discard", total: [3, 3], cards: [card("drop", "fig", 2), card("drop", "nut", 9)] }],
});

test("cards chosen in any order are taken row by row, and then what ends it", () => {
  const bundle = offer();
  const [fig, , , nut] = bundle.cards;
  assert.ok(bundle.add(nut));
  assert.equal(bundle.complete, false);
  assert.ok(bundle.add(fig));
  assert.ok(bundle.complete);
  assert.ok(bundle.add(fig));
  assert.deepEqual(bundle.actions(), ["give fig", "give fig", "want nut", "propose"]);
});

test("neither a card nor a row goes beyond its limit", () => {
  const bundle = discard();
  const [fig, nut] = bundle.cards;
  assert.deepEqual([1, 2, 3].map(() => bundle.add(fig)), [true, true, false]);
  assert.equal(bundle.complete, false);
  assert.deepEqual([1, 2].map(() => bundle.add(nut)), [true, false]);
  assert.ok(bundle.complete);
  assert.deepEqual(bundle.actions(), ["drop fig", "drop fig", "drop nut"]);
});

test("rows that are apart do not share a name", () => {
  const bundle = offer();
  const [fig, , wanted] = bundle.cards;
  bundle.add(fig);
  assert.equal(bundle.more(wanted), false);
  assert.ok(bundle.drop(fig));
  assert.ok(bundle.more(wanted));
});

test("cards are taken back one by one, the last first", () => {
  const bundle = discard();
  const [fig, nut] = bundle.cards;
  for (const one of [fig, nut, fig]) bundle.add(one);
  assert.ok(bundle.back());
  assert.deepEqual(bundle.actions(), ["drop fig", "drop nut"]);
  assert.ok(bundle.drop(fig));
  assert.equal(bundle.drop(fig), false);
  assert.deepEqual(bundle.actions(), ["drop nut"]);
  assert.deepEqual([bundle.back(), bundle.back()], [true, false]);
});

test("a card that must be chosen cannot be taken back", () => {
  const least = { ...card("drop", "fig", 2), limits: [1, 2] };
  const rows = [{ words: "You discard", total: [1, 2], cards: [least] }];
  const bundle = new Bundle({ words: "", verb: "", apart: false, then: null, rows });
  assert.equal(bundle.less(bundle.cards[0]), false);
  assert.ok(bundle.complete);
  assert.deepEqual(bundle.actions(), ["drop fig"]);
});

test("things on the board stand for cards as long as one more can be taken", () => {
  const bundle = offer();
  assert.deepEqual(bundle.things(), ["h-fig", "h-nut", "b-fig", "b-nut"]);
  bundle.add(bundle.at("h-nut"));
  assert.deepEqual(bundle.things(), ["h-fig", "b-fig"]);
  assert.equal(bundle.at("b-nut"), undefined);
});

test("what is chosen is told in words", () => {
  const bundle = offer();
  bundle.add(bundle.cards[0]);
  const words = "You give: 1 fig (1 of 1 to 2); You want: nothing yet (0 of 1)";
  assert.equal(bundle.told(), words);
});

test("an action is known to belong to a bundle", () => {
  const bundle = offer();
  assert.ok(bundle.has("want fig") && bundle.has("propose"));
  assert.equal(bundle.has("end"), false);
});
