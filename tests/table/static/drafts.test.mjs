/** One decision is one message; only what something can follow is drafted. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Drafts } from "../../../src/kostka/table/static/drafts.js";

const attack = { action: "3>7", ends: true };
const transfer = { action: "3=4", ends: false };
const another = { action: "4=5", ends: false };

/** Drafts, and what they have sent. */
function drafting(heard = true) {
  const sent = [];
  return [new Drafts((message) => (sent.push(message), heard)), sent];
}

test("a decision that nothing can follow is sent at once, and nothing else is", () => {
  const [drafts, sent] = drafting();
  assert.ok(drafts.decide(5, attack));
  assert.deepEqual(sent, [{ type: "act", at: 5, actions: ["3>7"] }]);
  assert.ok(drafts.waiting);
  assert.equal(drafts.drafted(), false);
});

test("a decision that others can follow is drafted until it is confirmed", () => {
  const [drafts, sent] = drafting();
  drafts.decide(5, transfer);
  assert.deepEqual([drafts.taken, drafts.waiting], [[], true]);
  assert.ok(drafts.drafted());
  assert.deepEqual([drafts.taken, drafts.waiting], [[transfer], false]);
  drafts.confirm(5);
  assert.deepEqual(sent, [
    { type: "draft", at: 5, actions: ["3=4"] },
    { type: "act", at: 5, actions: ["3=4"] },
  ]);
});

test("drafts go with the decision that ends them, in one message", () => {
  const [drafts, sent] = drafting();
  drafts.decide(5, transfer);
  drafts.drafted();
  drafts.decide(5, attack);
  assert.deepEqual(sent.slice(1), [{ type: "act", at: 5, actions: ["3=4", "3>7"] }]);
});

test("drafts are taken back one by one", () => {
  const [drafts, sent] = drafting();
  assert.equal(drafts.back(5), false);
  for (const one of [transfer, another]) {
    drafts.decide(5, one);
    drafts.drafted();
  }
  assert.equal(drafts.back(5), false);
  assert.deepEqual(sent.at(-1), { type: "draft", at: 5, actions: ["3=4"] });
  drafts.drafted();
  assert.equal(drafts.back(5), true);
  assert.deepEqual([drafts.taken, sent.length], [[], 3]);
});

test("without a connection nothing is waited for", () => {
  const [drafts] = drafting(false);
  assert.equal(drafts.decide(5, attack), false);
  assert.equal(drafts.decide(5, transfer), false);
  assert.deepEqual([drafts.waiting, drafts.drafted()], [false, false]);
});

test("a draft that is answered after the game has gone on is forgotten", () => {
  const [drafts] = drafting();
  drafts.decide(5, transfer);
  drafts.settle();
  assert.equal(drafts.drafted(), false);
  assert.deepEqual(drafts.taken, []);
});
