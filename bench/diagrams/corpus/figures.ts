// The table of a group: shares of the drawings that the upstream draws, in percent.

import { type Figures, percentile } from "../../harness.ts";
import type { Compared } from "./compare.ts";
import { formatOf, type Group } from "./sources.ts";

export function figuresOf(compared: readonly Compared[], group: Group): Figures {
  const drawn = compared.filter(({ fault }) => fault === undefined);
  const share = (part: readonly unknown[], of: readonly unknown[]) => (100 * part.length) / Math.max(1, of.length);
  const known = (name: "ink" | "pngInk" | "librsvgInk" | "inkscapeInk") => drawn.flatMap((each) => each[name] ?? []);
  const above = (values: readonly number[], most: number) =>
    share(
      values.filter((value) => value > most),
      values,
    );
  const warned = (pattern: RegExp) => drawn.filter(({ warnings }) => warnings.some((each) => pattern.test(each)));
  const [ink, png] = [known("ink"), known("pngInk")];
  /** Of a program that is not installed: not measured. */
  const elsewhere = (name: "librsvgInk" | "inkscapeInk") =>
    known(name).length === 0 ? Number.NaN : above(known(name), 0.1);
  const figures: Figures = {
    drawn: share(drawn, compared),
    refused: 100 - share(drawn, compared),
    "no font": share(warned(/No installed font/), drawn),
    "ink p50": 100 * percentile(ink, 0.5),
    "ink p90": 100 * percentile(ink, 0.9),
    "ink over 5 %": above(ink, 0.05),
    "PNG unlike SVG over 5 %": above(png, 0.05),
    "librsvg over 10 %": elsewhere("librsvgInk"),
    "Inkscape over 10 %": elsewhere("inkscapeInk"),
    ...(group === "d2" && {
      "dropped icons": share(
        drawn.filter(({ droppedIcons = 0 }) => droppedIcons > 0),
        drawn,
      ),
    }),
    sources: compared.length,
  };
  if (formatOf(group) !== "mermaid") return figures;
  const lettered = drawn.flatMap(({ letters }) => letters ?? []);
  const same = lettered.filter((each) => each.same);
  const states = drawn.filter(({ isState }) => isState).flatMap(({ letters }) => letters ?? []);
  return {
    "letters wrong": share(
      lettered.filter((each) => !each.same),
      lettered,
    ),
    "words broken": share(
      same.filter(({ brokenWords }) => brokenWords > 0),
      same,
    ),
    "lines differ": share(
      same.filter(({ sameLines }) => !sameLines),
      same,
    ),
    "a line over 2 px away": share(
      same.filter(({ farthestPx }) => farthestPx > 2),
      same,
    ),
    "state labels elsewhere": share(
      states.filter(({ farthestPx }) => farthestPx > 2),
      states,
    ),
    "line through a label": share(
      drawn.filter(({ linesThrough = 0 }) => linesThrough > 0),
      drawn.filter(({ edgeLabels = 0 }) => edgeLabels > 0),
    ),
    "size within 1 px": share(
      drawn.filter(({ sizePx = 0 }) => sizePx <= 1),
      drawn,
    ),
    "size off p50":
      100 *
      percentile(
        drawn.map(({ sizeShare = 0 }) => sizeShare),
        0.5,
      ),
    ...figures,
  };
}
