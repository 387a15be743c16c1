/** Where to look and where to go on a board, in plain numbers. */

/** How many times closer than the whole board one can look. */
const CLOSEST = 8;

/** The part of a box that is looked at: inside it, of its shape, around the middle of `wanted`. */
export function fitted([bx, by, bw, bh], [x, y, w, h]) {
  const width = Math.min(bw, Math.max(bw / CLOSEST, w));
  const height = (width / bw) * bh;
  const left = Math.min(bx + bw - width, Math.max(bx, x + (w - width) / 2));
  const top = Math.min(by + bh - height, Math.max(by, y + (h - height) / 2));
  return [left, top, width, height];
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
