/** Clicks narrow the legal actions down to one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Clicks, isAmount, isButton, isChoice, isThing, same } from "../../../src/kostka/table/static/clicks.js";

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

// --- choices that lie on top of each other ---

const turned = (name) => ({ choice: name, verbs: ["Turn", "Lay"] });
const laying = (cell, name) => ({ action: `${cell}/${name}`, clicks: [cell, turned(name)] });
const tiles = [
  laying("a", "r0"), laying("a", "r1"), laying("a", "r3"),
  laying("b", "r1"), laying("b", "r3"), laying("c", "r2"), end,
];

const laidBy = (...elements) => {
  const clicks = new Clicks(tiles);
  return [clicks, elements.map((one) => clicks.click(one)).at(-1)];
};

test("a choice is known by its name", () => {
  assert.ok(isChoice(turned("r1")) && !isChoice(amount(1)) && !isAmount(turned("r1")));
  assert.deepEqual(["a", "!end", turned("r1"), null].map(isThing), [true, false, false, false]);
  assert.ok(same(turned("r1"), { choice: "r1" }) && !same(turned("r1"), turned("r2")));
  assert.ok(!same(turned("r1"), "r1") && !same(amount(1), turned("r1")));
});

test("one choice is shown at a time, and the next after it, round and round", () => {
  const [clicks, answer] = laidBy("a");
  assert.deepEqual(answer, { path: true });
  const shown = [1, 1, 1, -1, -1].map((by) => {
    const { action } = clicks.meant();
    clicks.turn(by);
    return action;
  });
  assert.deepEqual(shown, ["a/r0", "a/r1", "a/r3", "a/r0", "a/r3"]);
  assert.equal(clicks.top().choice, "r1");
});

test("another click on what is picked turns it", () => {
  const [clicks, answer] = laidBy("a", "a");
  assert.deepEqual([answer, clicks.path, clicks.meant().action], [{ path: true }, ["a"], "a/r1"]);
});

test("taking the choice that is shown is the action", () => {
  const [clicks] = laidBy("a", "a");
  assert.equal(clicks.click(clicks.top()).action.action, "a/r1");
  assert.deepEqual(clicks.path, []);
});

test("a place with one choice needs one click", () => {
  assert.equal(laidBy("c")[1].action.action, "c/r2");
  assert.equal(laidBy("a", "c")[1].action.action, "c/r2");
});

test("another place can be picked instead, and shows the same choice where it has it", () => {
  const [clicks] = laidBy("a", "a", "b");
  assert.deepEqual([clicks.path, clicks.meant().action], [["b"], "b/r1"]);
  assert.deepEqual([...clicks.next().keys()].sort(), ["!end", "a", "c"]);
});

test("a refused click leaves what is picked, and is asked about by itself", () => {
  const [clicks, answer] = laidBy("a", "x");
  assert.deepEqual([answer, clicks.path], [{ refused: ["x"] }, ["a"]]);
});

test("what is picked is taken back", () => {
  const [clicks] = laidBy("a");
  assert.ok(clicks.back());
  assert.deepEqual([clicks.choices(), clicks.turn(), clicks.meant()], [[], false, null]);
});

test("what a click would do is known before it is made, where it is one thing", () => {
  const clicks = new Clicks(tiles);
  assert.deepEqual(["a", "c", "!end"].map((one) => clicks.meant([one]).action), ["a/r0", "c/r2", "end"]);
  assert.equal(new Clicks(legal).meant(["t3"]), null);
});

test("a choice may come before other clicks", () => {
  const more = ["x", "y"].flatMap((to) =>
    ["up", "down"].map((card) => ({ action: `${card} ${to}`, clicks: [{ choice: card }, to] })));
  const clicks = new Clicks(more);
  assert.deepEqual(clicks.choices().map((one) => one.choice), ["up", "down"]);
  clicks.turn();
  assert.equal(clicks.next().size, 0);
  clicks.click(clicks.top());
  assert.equal(clicks.click("y").action.action, "down y");
});
