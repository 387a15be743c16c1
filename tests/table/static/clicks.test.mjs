/** Clicks narrow the legal actions down to one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Clicks, isAmount, isButton, same } from "../../../src/kostka/table/static/clicks.js";

const amount = (value) => ({ amount: [1, 3, value] });
const attack = { action: "3>7", clicks: ["t3", "t7"] };
const other = { action: "3>8", clicks: ["t3", "t8"] };
const few = { action: "5>6 1", clicks: ["t5", "t6", amount(1)] };
const many = { action: "5>6 3", clicks: ["t5", "t6", amount(3)] };
const end = { action: "end", clicks: ["!end"] };
const legal = [attack, other, many, few, end];

const clicking = (...elements) => {
  const clicks = new Clicks(legal);
  return [clicks, elements.map((one) => clicks.click(one)).at(-1)];
};

test("elements are things, buttons or amounts", () => {
  assert.deepEqual(["t3", "!end", amount(2)].map(isButton), [false, true, false]);
  assert.deepEqual(["t3", "!end", amount(2), null].map(isAmount), [false, false, true, false]);
  assert.ok(same(amount(2), { amount: [0, 9, 2] }));
  assert.ok(!same(amount(2), amount(1)) && !same("t3", amount(3)) && !same(amount(3), "t3"));
});

test("what can be clicked leads to the actions that are still open", () => {
  const next = new Clicks(legal).next();
  assert.deepEqual([...next.keys()], ["t3", "t5", "!end"]);
  assert.deepEqual(next.get("t3"), [attack, other]);
});

test("a whole path is an action, and the path begins anew", () => {
  const [clicks, answer] = clicking("t3", "t8");
  assert.equal(answer.action, other);
  assert.deepEqual(clicks.path, []);
  assert.equal(clicking("!end")[1].action, end);
});

test("an amount is chosen last", () => {
  const [clicks] = clicking("t5", "t6");
  assert.deepEqual(clicks.amounts(), [1, 3]);
  assert.equal(clicks.next().size, 0);
  assert.equal(clicks.byAmount(3), many);
  assert.equal(clicks.byAmount(2), null);
  assert.equal(clicks.click({ amount: [1, 3, 1] }).action, few);
  assert.equal(new Clicks(legal).amounts(), null);
});

test("a second click on a thing takes it back, with all that came after", () => {
  const [clicks, answer] = clicking("t5", "t6", "t5");
  assert.deepEqual([answer, clicks.path], [{ path: true }, []]);
});

test("another beginning begins anew", () => {
  assert.deepEqual(clicking("t3", "t5")[0].path, ["t5"]);
});

test("a click that makes no action is refused with its path, which stays", () => {
  const [clicks, answer] = clicking("t3", "t9");
  assert.deepEqual([answer, clicks.path], [{ refused: ["t3", "t9"] }, ["t3"]]);
});

test("one step back at a time", () => {
  const [clicks] = clicking("t5", "t6");
  assert.deepEqual([clicks.back(), clicks.back(), clicks.back()], [true, true, false]);
});

test("an action without clicks is not on the board", () => {
  assert.equal(new Clicks([{ action: "pass", clicks: [] }, { action: "x" }]).next().size, 0);
});
