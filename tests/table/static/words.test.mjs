/** Numbers, times and sentences as people read them. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ago, clockTime, duration, figure, percent, points, sentence, spoken,
} from "../../../src/kostka/table/static/words.js";

test("a sentence has a capital letter and a full stop", () => {
  assert.equal(sentence(" too late "), "Too late.");
  assert.equal(sentence("Really?"), "Really?");
  assert.equal(sentence("one moment …"), "One moment …");
  assert.equal(spoken("end the turn"), "End the turn");
  assert.equal(spoken(""), "");
});

test("shares are percent, differences have a sign", () => {
  assert.deepEqual([percent(0.634), percent(1)], ["63 %", "100 %"]);
  assert.deepEqual([points(0.126), points(-0.126), points(-0.001)], ["+13", "−13", "0"]);
});

test("whole scores have no decimals", () => {
  assert.deepEqual([figure(12), figure(0.5)], ["12", "0.50"]);
});

test("a clock shows minutes and seconds, and hours when there are many", () => {
  assert.deepEqual([0, 9, 61, 3599, 86_400].map(clockTime), ["0:00", "0:09", "1:01", "59:59", "24 h"]);
});

test("a duration is rounded to what people think in", () => {
  assert.deepEqual([29.2, 89, 100, 7200].map(duration), ["30 seconds", "89 seconds", "2 minutes", "2 hours"]);
});

test("the past is told in minutes, hours, then as a date", () => {
  const now = Date.UTC(2024, 4, 20, 12);
  const minutes = (n) => ago(now - n * 60_000, now);
  assert.deepEqual([1, 30, 120].map(minutes), ["just now", "30 minutes ago", "2 hours ago"]);
  assert.equal(minutes(10 * 24 * 60), "10/05/2024");
});
