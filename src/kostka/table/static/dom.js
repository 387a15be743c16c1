/** Elements made by script. What people wrote is always text, never markup. */

const SVG = "http://www.w3.org/2000/svg";

/** An element: `h("p.quiet", {id: "x", onclick: f}, "words", other)`. */
export function h(tag, given = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  return dress(document.createElement(name || "div"), classes, given, children);
}

/** An element of a drawing. */
export function s(tag, given = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  return dress(document.createElementNS(SVG, name), classes, given, children);
}

function dress(element, classes, given, children) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...there(children));
  return element;
}

/** Children in lists of lists, without those that are not there. */
function there(children) {
  return children.flat(3).filter((one) => one !== null && one !== undefined && one !== false);
}

/** A list to choose from: of value, words and perhaps an explanation. */
export function choice(given, pairs, value) {
  const made = pairs.map(([one, words, title]) => h("option", { value: one, title }, String(words)));
  const list = h("select", given, made);
  if (value !== undefined) list.value = String(value);
  return list;
}

/** The element with an id. */
export const $ = (id) => document.getElementById(id);

/** Put new content into an element. */
export function fill(element, ...children) {
  element.replaceChildren(...there(children));
  return element;
}

/** Say something in an element that is hidden while there is nothing to say. */
export function tell(element, words) {
  element.textContent = words || "";
  element.hidden = !words;
}

/** Is somebody writing, so that keys are letters? */
export function writing(target) {
  return Boolean(target?.closest?.("input:not([type=range]), textarea, select, dialog[open]"));
}

/** Save something as a file. */
export function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Put a text where it can be pasted from; says on the button that it is there. */
export async function copy(button, text) {
  const before = button.dataset.before ?? button.textContent;
  button.dataset.before = before;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyByHand(text);
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = before), 1500);
}

/** Without TLS there is no clipboard, but a selection can still be copied. */
function copyByHand(text) {
  const field = h("textarea.unseen", {}, text);
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** Make an element's content anew, and leave the focus on what was focused in it. */
export function keepFocus(element, make) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const known = focused && ["id", "data-click", "data-seat"].find((name) => focused.hasAttribute(name));
  const value = known && focused.getAttribute(known);
  make();
  if (known) element.querySelector(`[${known}="${CSS.escape(value)}"]`)?.focus({ preventScroll: true });
}

/** May things move? */
export const lively = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
