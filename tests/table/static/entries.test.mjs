/** The log: decisions with the luck after them, and where the game turned. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  entries, expected, luckInWords, stopFrom, swings,
} from "../../../src/kostka/table/static/entries.js";

test("luck belongs to the decision before it", () => {
  const events = [
    { n: 1, by: -1, text: "deal" },
    { n: 2, by: 0, text: "3>7", words: "attack 7", note: "late" },
    { n: 3, by: -1, text: "24:5", words: "24 to 5" },
    { n: 4, by: 1, text: "end" },
  ];
  assert.deepEqual(entries(events), [
    { to: 1, by: -1, words: "deal", luck: [], note: undefined },
    { to: 3, by: 0, words: "attack 7", luck: ["24 to 5"], note: "late" },
    { to: 4, by: 1, words: "end", luck: [], note: undefined },
  ]);
  assert.deepEqual(entries([]), []);
});

test("luck is told without repeating its words", () => {
  const dice = [3, 7, 9, 1, 2, 4, 6].map((n) => `a new die on ${n}`);
  assert.equal(luckInWords(dice.slice(0, 3)), "a new die on 3, 7, 9");
  assert.equal(luckInWords(dice), "a new die on 3, 7, 9, 1, 2 and 2 more");
  assert.equal(luckInWords(["24 to 5"]), "24 to 5");
  assert.equal(luckInWords(["24 to 5", "a die on 3"]), "24 to 5, a die on 3");
  assert.equal(luckInWords([]), "");
});

test("expectations are those of the last decision", () => {
  const rows = [[0.5], [0.6], [0.9], [0.7]];
  const at = (n) => expected(rows, [1, 3], n);
  assert.deepEqual([0, 1, 2, 3].map(at), [[0.5], [0.6], [0.6], [0.7]]);
});

test("steps go from decision to decision, and to both ends", () => {
  const step = (at, by) => stopFrom([2, 5], at, by, 6);
  assert.deepEqual([step(0, 1), step(2, 1), step(5, 1)], [2, 5, 6]);
  assert.deepEqual([step(6, -1), step(5, -1), step(2, -1)], [5, 2, 0]);
});

test("the biggest swings are found, each far from the next, in the order of the game", () => {
  const steps = [10, 11, 50, 90, 120].map((to) => ({ to }));
  const rows = [];
  rows[0] = [0.5, 0.5];
  rows[10] = [0.7, 0.3];
  rows[11] = [0.6, 0.4];
  rows[50] = [0.2, 0.8];
  rows[90] = [0.21, 0.79];
  rows[120] = [0.31, 0.69];
  const found = swings(steps, rows, 120);
  assert.deepEqual(found.map(({ entry, seat }) => [entry.to, seat]), [[10, 0], [50, 1], [120, 0]]);
  assert.ok(Math.abs(found[1].by - 0.4) < 1e-9);
});
