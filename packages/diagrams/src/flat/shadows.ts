import { XmlElement } from "../svg/xml.ts";

/** librsvg before 2.56 and Inkscape hide what has a feDropShadow. Its five steps are known to all. */
export function plainShadows(root: XmlElement): void {
  for (const filter of root.descendants()) {
    if (filter.localName !== "filter") continue;
    const steps = filter.elements.flatMap((step, at) =>
      step.localName === "feDropShadow" ? inSteps(step, at) : [step],
    );
    filter.children.splice(0);
    for (const step of steps) filter.append(step);
  }
}

function inSteps(shadow: XmlElement, nth: number): XmlElement[] {
  const { attributes } = shadow;
  const [blurred, moved, colour, cut] = ["blur", "offset", "flood", "shadow"].map((name) => `${name}-${nth}`) as [
    string,
    string,
    string,
    string,
  ];
  const input = attributes.get("in");
  const from = input ?? (nth === 0 ? "SourceGraphic" : undefined);
  const deviation = attributes.get("stdDeviation") ?? "2";
  const taken: (readonly [string, string])[] = from === undefined ? [] : [["in", from]];
  const isBlurred = Number.parseFloat(deviation) > 0;
  const of = (name: string, otherwise: string) => attributes.get(name) ?? otherwise;
  const parts = [
    ...(isBlurred
      ? [new XmlElement("feGaussianBlur", [...taken, ["stdDeviation", deviation], ["result", blurred]])]
      : []),
    new XmlElement("feOffset", [
      ...(isBlurred ? [["in", blurred] as const] : taken),
      ["dx", of("dx", "2")],
      ["dy", of("dy", "2")],
      ["result", moved],
    ]),
    new XmlElement("feFlood", [
      ["flood-color", of("flood-color", "black")],
      ["flood-opacity", of("flood-opacity", "1")],
      ["result", colour],
    ]),
    new XmlElement("feComposite", [
      ["in", colour],
      ["in2", moved],
      ["operator", "in"],
      ["result", cut],
    ]),
  ];
  const merge = new XmlElement("feMerge", attributes.has("result") ? [["result", of("result", "")]] : []);
  for (const each of [[["in", cut]], taken] as const) merge.append(new XmlElement("feMergeNode", each));
  return [...parts, merge];
}
