/** The board as a picture to keep: SVG, or PNG drawn from it here. */
import { save } from "./dom.js";

const LONGER_SIDE = 2000;

/** The drawing as a document of its own, in the colours it has on the page. */
export function standalone(svg, box) {
  const copy = svg.cloneNode(true);
  copy.querySelector(".preview")?.remove();
  for (const one of copy.querySelectorAll(".can, .picked, .pointed")) {
    one.classList.remove("can", "picked", "pointed");
    for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) one.removeAttribute(name);
  }
  const probe = document.body.appendChild(document.createElement("i"));
  const tokens = ["paper", "ink", "accent"].map((name) => {
    probe.style.color = `var(--${name})`;
    return `--${name}: ${getComputedStyle(probe).color}`;
  });
  probe.remove();
  const scale = LONGER_SIDE / Math.max(box[2], box[3]);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", box.join(" "));
  copy.setAttribute("width", Math.round(box[2] * scale));
  copy.setAttribute("height", Math.round(box[3] * scale));
  copy.setAttribute("style", tokens.join("; "));
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(svg, box, name) {
  save(`${name}.svg`, standalone(svg, box), "image/svg+xml");
}

export async function savePng(svg, box, name) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([standalone(svg, box)], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    canvas.getContext("2d").drawImage(image, 0, 0);
    save(`${name}.png`, await new Promise((done) => canvas.toBlob(done, "image/png")));
  } finally {
    URL.revokeObjectURL(url);
  }
}
