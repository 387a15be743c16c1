/** What seats are called, and how they are dealt to levels. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { called, colourName } from "../../../src/kostka/table/static/look.js";
import { range, roleOf, within } from "../../../src/kostka/table/static/opening.js";

const seat = (name, role = null) => ({ name, role });

test("a player is called by name, then by role, then by colour", () => {
  const roles = [seat("", "Mr X"), seat("", "detective"), seat("Anna", "detective")];
  const name = (n) => called({ seats: roles }, n);
  assert.deepEqual([0, 1, 2].map(name), ["Mr X", "Orange detective", "Anna"]);
  assert.equal(called({ seats: [seat("")] }, 0), "Blue");
  assert.equal(colourName(8), "Blue");
});

test("the last role is that of all further seats", () => {
  const game = { roles: ["Mr X", "detective"] };
  assert.deepEqual([0, 1, 4].map((n) => roleOf(game, n)), ["Mr X", "detective", "detective"]);
});

test("numbers are kept within limits", () => {
  assert.deepEqual([1, 3, 9].map((n) => within([2, 6], n)), [2, 3, 6]);
  assert.deepEqual(range(2, 4), [2, 3, 4]);
  assert.deepEqual(range(2, 1), []);
});
