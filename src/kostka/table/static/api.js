/** HTTP to the server: an answer, or an error in words that can be shown. */
import { sentence } from "./words.js";

/** What was wrong, in words; with a status when the server answered at all. */
export class Refused extends Error {
  constructor(words, status = null) {
    super(words);
    this.status = status;
  }
}

/** Ask the server; `given` is the body of a POST, a text as it is or anything else as JSON. */
export async function ask(path, given, token) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const request = { headers };
  if (given !== undefined) {
    const text = typeof given === "string";
    request.method = "POST";
    request.body = text ? given : JSON.stringify(given);
    headers["content-type"] = text ? "application/jsonl" : "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, request);
  } catch {
    throw new Refused("The server does not answer. Is it running, and are you online?");
  }
  const { headers: told } = answer;
  const json = told.get("content-type")?.includes("json") && !told.has("content-disposition");
  const found = json ? await answer.json() : await answer.text();
  const { ok, status } = answer;
  if (!ok) throw new Refused(sentence(found?.error || `the server answered ${status}`), status);
  return found;
}
