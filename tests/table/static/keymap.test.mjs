/** Keys mean the same with and without capitals, and others mean nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { meaning } from "../../../src/kostka/table/static/keymap.js";

test("arrows are directions", () => {
  assert.deepEqual(meaning("ArrowLeft"), { arrow: [-1, 0] });
  assert.deepEqual(meaning("ArrowDown"), { arrow: [0, 1] });
});

test("digits are buttons, but nought shows the whole board", () => {
  assert.deepEqual(meaning("1"), { button: "1" });
  assert.deepEqual(meaning("9"), { button: "9" });
  assert.deepEqual(meaning("0"), { command: "whole" });
});

test("letters are commands, also with the shift key", () => {
  for (const [key, command] of [["h", "hint"], ["R", "turn"], ["m", "recent"], ["i", "inspect"], ["?", "help"], [" ", "play"]]) {
    assert.deepEqual(meaning(key), { command });
  }
  assert.deepEqual(meaning("Home"), { command: "first" });
});

test("every other key is left alone", () => {
  for (const key of ["x", "Tab", "F5", "Enter", "constructor", "toString"]) {
    assert.equal(meaning(key), null);
  }
});
