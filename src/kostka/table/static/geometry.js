/** Where to look and where to go on a board, in plain numbers. */

/** How many times closer than the whole board one can look. */
const CLOSEST = 8;

/** The width that is seen of a board, wide as it was at first, from closest by. */
export const closest = (width) => width / CLOSEST;

/** The smallest frame of a shape (width to height) around a box, with the box in the middle. */
export function framed([x, y, w, h], shape) {
  const width = Math.max(w, h * shape);
  const height = width / shape;
  return [x - (width - w) / 2, y - (height - h) / 2, width, height];
}

/**
 * The part of a frame that is looked at: inside it, of its shape, around the middle of `wanted`,
 * not narrower than `least`.
 */
export function fitted([bx, by, bw, bh], [x, y, w, h], least = closest(bw)) {
  const width = Math.min(bw, Math.max(least, w));
  const height = (width / bw) * bh;
  const left = Math.min(bx + bw - width, Math.max(bx, x + (w - width) / 2));
  const top = Math.min(by + bh - height, Math.max(by, y + (h - height) / 2));
  return [left, top, width, height];
}

/** Is anything of a box in a view? */
export function meets([x, y, w, h], [bx, by, bw, bh]) {
  return x < bx + bw && bx < x + w && y < by + bh && by < y + h;
}

/** What is seen on the way from one view to another, with an easy end. */
export function between(from, to, share) {
  const left = (1 - share) ** 3;
  return to.map((n, k) => n + (from[k] - n) * left);
}

/** What is seen of a view that comes closer by a factor, while a place stays where it is. */
export function zoomed([x, y, w, h], place, factor) {
  const share = 1 / factor;
  return [place.x - (place.x - x) * share, place.y - (place.y - y) * share, w * share, h * share];
}

/** Which of the places comes next in a direction (dx, dy in -1, 0, 1); -1 where there is none. */
export function onward(places, [x, y], [dx, dy]) {
  let best = -1;
  let least = Infinity;
  places.forEach(([u, v], n) => {
    const along = (u - x) * dx + (v - y) * dy;
    const across = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (along <= 1 || across > 3 * along) return;
    const far = along + 2 * across;
    if (far < least) [best, least] = [n, far];
  });
  return best;
}

/** How far a place is from a frame; 0 inside it. */
export function distance({ x, y }, { left, right, top, bottom }) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}
