// Where the dark drawing has more than other colours, both are in the picture, and the reader's system decides which is seen.

import { viewOf } from "../frame.ts";
import { parseXml, writeXml, XmlElement } from "../svg/xml.ts";

const CHOOSES =
  ".on-dark{display:none}@media (prefers-color-scheme:dark){.on-light{display:none}.on-dark{display:inline}}";

export function darkBeside(light: string, dark: string): string {
  const drawings = [parseXml(light), renamed(parseXml(dark))] as const;
  const [day, night] = drawings.map(viewOf) as [Size, Size];
  const view = `0 0 ${Math.max(day.width, night.width)} ${Math.max(day.height, night.height)}`;
  const root = new XmlElement("svg", [
    ["xmlns", "http://www.w3.org/2000/svg"],
    ["viewBox", view],
  ]);
  const style = new XmlElement("style");
  style.append(CHOOSES);
  root.append(style);
  for (const [drawing, size, seen] of [
    [drawings[0], day, "on-light"],
    [drawings[1], night, "on-dark"],
  ] as const) {
    drawing.attributes.set("class", `${drawing.attributes.get("class") ?? ""} ${seen}`.trim());
    drawing.attributes.set("viewBox", [size.x, size.y, size.width, size.height].join(" "));
    drawing.attributes.set("width", String(size.width));
    drawing.attributes.set("height", String(size.height));
    drawing.attributes.delete("style");
    root.append(drawing);
  }
  return writeXml(root);
}

type Size = ReturnType<typeof viewOf>;

const LISTS_OF_IDS = new Set(["aria-labelledby", "aria-describedby"]);

/** Two drawings in one document must not share a name: what the one refers to would be the other's. */
function renamed(root: XmlElement): XmlElement {
  const all = [root, ...root.descendants()];
  const ids = new Set(all.map((element) => element.attributes.get("id")));
  // In front: stylesheets find some names by how they end.
  const other = (id: string) => (ids.has(id) ? `dark-${id}` : id);
  const inUrls = (text: string) =>
    text.replace(/url\((["']?)#([^)"']+)\1\)/g, (_, q, id) => `url(${q}#${other(id)}${q})`);
  for (const element of all) {
    for (const [name, value] of element.attributes) {
      if (name === "id") element.attributes.set(name, other(value));
      else if (LISTS_OF_IDS.has(name)) element.attributes.set(name, value.split(" ").map(other).join(" "));
      else if (/(?:^|:)href$/.test(name) && value.startsWith("#"))
        element.attributes.set(name, `#${other(value.slice(1))}`);
      else if (value.includes("url(")) element.attributes.set(name, inUrls(value));
    }
    if (element.localName !== "style") continue;
    // Before a brace stand selectors; elsewhere "#abc" is a colour.
    const css = element.text.replace(/[^{}]*\{/g, (selector) =>
      selector.replace(/#([\w-]+)/g, (_, id) => `#${other(id)}`),
    );
    element.children.length = 0;
    element.append(inUrls(css));
  }
  return root;
}
