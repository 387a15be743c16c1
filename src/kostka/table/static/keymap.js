/** What the keys of the table page mean. */

const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const COMMANDS = {
  "+": "closer",
  "=": "closer",
  "-": "further",
  "−": "further",
  0: "whole",
  "?": "help",
  h: "hint",
  r: "turn",
  i: "inspect",
  m: "recent",
  b: "back",
  f: "follow",
  c: "chat",
  l: "list",
  " ": "play",
  Home: "first",
  End: "last",
};

/** A key as a direction, the number of a button, or the name of a command; null for none. */
export function meaning(key) {
  if (Object.hasOwn(ARROWS, key)) return { arrow: ARROWS[key] };
  if (/^[1-9]$/.test(key)) return { button: key };
  const name = [key, key.toLowerCase()].find((one) => Object.hasOwn(COMMANDS, one));
  return name === undefined ? null : { command: COMMANDS[name] };
}
