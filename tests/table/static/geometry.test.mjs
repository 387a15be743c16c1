/** Looking closer at a board, and finding the next thing on it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  between, closest, distance, fitted, framed, meets, onward, zoomed,
} from "../../../src/kostka/table/static/geometry.js";

const BOX = [0, 0, 800, 400];

test("what is looked at stays inside the board and keeps its shape", () => {
  assert.deepEqual(fitted(BOX, [-50, -50, 400, 200]), [0, 0, 400, 200]);
  assert.deepEqual(fitted(BOX, [700, 350, 400, 200]), [400, 200, 400, 200]);
  assert.deepEqual(fitted(BOX, [-100, -100, 1600, 900]), BOX);
});

test("a board of another shape lies in the middle of its frame", () => {
  assert.deepEqual(framed(BOX, 2), BOX);
  assert.deepEqual(framed(BOX, 1), [0, -200, 800, 800]);
  assert.deepEqual(framed(BOX, 4), [-400, 0, 1600, 400]);
});

test("how closely one can look does not change as the board grows", () => {
  const least = closest(800);
  assert.equal(least, 100);
  assert.deepEqual(fitted([0, 0, 1600, 800], [400, 200, 0, 0], least), [350, 175, 100, 50]);
});

test("a view shows something of a board or nothing", () => {
  assert.ok(meets([700, 300, 400, 400], BOX) && meets([-10, -10, 2000, 2000], BOX));
  assert.ok(!meets([800, 0, 10, 10], BOX) && !meets([0, -10, 10, 10], BOX));
});

test("one view is left and another reached, slower towards the end", () => {
  const [from, to] = [[0, 0, 800, 400], [-100, 0, 1000, 400]];
  assert.deepEqual(between(from, to, 0), from);
  assert.deepEqual(between(from, to, 1), to);
  assert.deepEqual(between(from, to, 0.5), [-87.5, 0, 975, 400]);
});

test("one cannot look closer than eight times", () => {
  assert.deepEqual(fitted(BOX, [400, 200, 0, 0]), [350, 175, 100, 50]);
});

test("the place that is zoomed at stays where it is", () => {
  assert.deepEqual(zoomed(BOX, { x: 400, y: 200 }, 2), [200, 100, 400, 200]);
  assert.deepEqual(zoomed(BOX, { x: 0, y: 0 }, 2), [0, 0, 400, 200]);
  assert.deepEqual(zoomed([200, 100, 400, 200], { x: 400, y: 200 }, 0.5), BOX);
});

test("an arrow leads to the nearest thing in its direction", () => {
  const places = [[10, 0], [30, 0], [12, 9], [-10, 0], [0, -20]];
  const go = (direction) => onward(places, [0, 0], direction);
  assert.deepEqual([go([1, 0]), go([-1, 0]), go([0, -1]), go([0, 1])], [0, 3, 4, 2]);
  assert.equal(onward([[10, 0]], [0, 0], [-1, 0]), -1);
  assert.equal(onward([[5, 40]], [0, 0], [1, 0]), -1);
});

test("a finger misses a thing by the distance to its edge", () => {
  const frame = { left: 10, right: 20, top: 10, bottom: 20 };
  assert.equal(distance({ x: 15, y: 12 }, frame), 0);
  assert.equal(distance({ x: 5, y: 15 }, frame), 5);
  assert.equal(distance({ x: 23, y: 24 }, frame), 5);
});
