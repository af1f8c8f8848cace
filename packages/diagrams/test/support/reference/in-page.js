// Runs in the page of a browser, by its source: how a drawing's text stands, and how two pictures differ. Plain JavaScript, since
// it is sent as it is.

/**
 * Draws with Mermaid's defaults. Chance comes from a seed, so that a hand-drawn line is the same line twice.
 * @param {string} source
 */
async function drawByDefaults(source) {
  document.body.replaceChildren();
  document.documentElement.style.width = "";
  let state = 0x9e3779b9;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  // A pixel of limits more than a page has, as for ours: 500 edges, and no diagram is too long.
  mermaid.initialize({ startOnLoad: false, suppressErrorRendering: true, maxTextSize: 1_048_576, maxEdges: 500 });
  try {
    const { svg } = await mermaid.render("reference", source);
    const holder = document.createElement("div");
    holder.innerHTML = svg;
    return { svg: new XMLSerializer().serializeToString(holder.firstElementChild) };
  } catch (error) {
    return { error: String(error?.message ?? error).slice(0, 200) };
  }
}

/** Puts a drawing into the page in its own size, so that a pixel of the page is a unit of the drawing. */
function show(svg) {
  document.body.innerHTML = svg;
  const root = document.body.firstElementChild;
  const [, , width, height] = (root.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  root.style.maxWidth = "none";
  if (width > 0 && height > 0) {
    root.setAttribute("width", String(width));
    root.setAttribute("height", String(height));
  }
  const box = root.getBoundingClientRect();
  return { root, width: box.width, height: box.height, left: box.left, top: box.top };
}

/**
 * The letters of a drawing in the order of the document: each with its place, and what stands before it: "label" where another
 * label begins, "space", or "" within a word.
 */
function lettersOf(svg) {
  const { root, width, height, left, top } = show(svg);
  const letters = [];
  let label = null;
  let spaced = false;
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) read(child);
      if (child.nodeType !== 1) continue;
      if (/^(?:style|script|title|desc|defs|math)$/i.test(child.localName)) continue;
      const { display, visibility } = getComputedStyle(child);
      if (display === "none" || visibility === "hidden") continue;
      if (child.localName === "br") spaced = true;
      const isBlock =
        /^(?:block|list-item|table|table-cell|table-row)$/.test(display) && child.namespaceURI !== root.namespaceURI;
      if (isBlock) spaced = true;
      walk(child);
      if (isBlock) spaced = true;
    }
  };
  const read = (text) => {
    const holder = text.parentElement.closest("foreignObject, text");
    if (holder === null) return;
    const range = document.createRange();
    for (const { segment, index } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text.data)) {
      if (/^\s+$/.test(segment)) {
        spaced = true;
        continue;
      }
      range.setStart(text, index);
      range.setEnd(text, index + segment.length);
      // The other branch of a switch is there and not drawn.
      if (range.getClientRects().length === 0) continue;
      const box = range.getBoundingClientRect();
      const before = holder !== label ? "label" : spaced ? "space" : "";
      const onEdge = text.parentElement.closest(".edgeLabel, .edgeLabels, .edgeTerminals") !== null;
      letters.push([segment, before, box.left - left, box.top - top, box.width, box.height, onEdge ? 1 : 0]);
      label = holder;
      spaced = false;
    }
  };
  walk(root);
  return { width, height, letters };
}

/** Of the boxes, those through which a line of the drawing runs that nothing opaque hides. */
function linesThrough(svg, boxes) {
  const { root, left, top } = show(svg);
  for (const each of root.querySelectorAll("text")) each.style.pointerEvents = "none";
  window.scrollTo(0, 0);
  document.documentElement.style.width = "20000px";
  const lines = [...root.querySelectorAll("path, line, polyline")].filter((each) => {
    const style = getComputedStyle(each);
    return each.closest("defs, marker, symbol") === null && style.fill === "none" && style.stroke !== "none";
  });
  const points = lines.flatMap((line) => {
    const length = line.getTotalLength();
    const matrix = line.getScreenCTM();
    const steps = Math.min(2000, Math.ceil(length / 4));
    return Array.from({ length: steps }, (_, at) => {
      return { line, at: line.getPointAtLength((length * at) / steps).matrixTransform(matrix) };
    });
  });
  const isOpaque = (element) => {
    if (element.namespaceURI !== root.namespaceURI || element === root) return false;
    const { fill, fillOpacity } = getComputedStyle(element);
    if (fill === "none" || Number(fillOpacity) < 1 || /rgba\(.*, 0?\.\d+\)|rgba\(.*, 0\)/.test(fill)) return false;
    for (let at = element; at !== root && at !== null; at = at.parentElement)
      if (Number(getComputedStyle(at).opacity) < 1) return false;
    return true;
  };
  let count = 0;
  for (const [x, y, width, height] of boxes) {
    const inside = points.filter(({ at }) => {
      const [px, py] = [at.x - left, at.y - top];
      return px > x + 1 && px < x + width - 1 && py > y + height * 0.2 && py < y + height * 0.8;
    });
    const through = inside.some(({ line, at }) => {
      window.scrollTo(at.x - 100, at.y - 100);
      const stack = document.elementsFromPoint(at.x - window.scrollX, at.y - window.scrollY);
      const ground = stack.findIndex(isOpaque);
      const own = stack.indexOf(line);
      return own !== -1 && (ground === -1 || ground > own);
    });
    window.scrollTo(0, 0);
    if (through) count++;
  }
  return count;
}

/** The share of inked pixels of either picture that have nothing alike within a pixel in the other. */
async function inkBetween(one, other) {
  const read = async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    context.drawImage(image, 0, 0);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  };
  const [a, b] = [await read(one), await read(other)];
  const INKED = 60;
  const ALIKE = 150;
  const apart = (left, i, right, j) =>
    Math.abs(left[i] - right[j]) + Math.abs(left[i + 1] - right[j + 1]) + Math.abs(left[i + 2] - right[j + 2]);
  const strange = (from, to) => {
    let inked = 0;
    let found = 0;
    for (let y = 0; y < from.height; y++) {
      for (let x = 0; x < from.width; x++) {
        const i = (y * from.width + x) * 4;
        if (765 - from.data[i] - from.data[i + 1] - from.data[i + 2] < INKED) continue;
        inked++;
        let alike = false;
        for (let dy = -1; dy <= 1 && !alike; dy++) {
          for (let dx = -1; dx <= 1 && !alike; dx++) {
            const [u, v] = [x + dx, y + dy];
            if (u < 0 || v < 0 || u >= to.width || v >= to.height) continue;
            alike = apart(from.data, i, to.data, (v * to.width + u) * 4) < ALIKE;
          }
        }
        if (!alike) found++;
      }
    }
    return { inked, found };
  };
  const [left, right] = [strange(a, b), strange(b, a)];
  return (left.found + right.found) / Math.max(1, left.inked + right.inked);
}

globalThis.inPage = { drawByDefaults, lettersOf, linesThrough, inkBetween };
