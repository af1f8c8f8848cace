// One rule as a track, by railroad-diagrams. Its boxes get the widths of our fonts, and its elements their colours.

import { el } from "../svg/plain-drawing.ts";
import type { XmlElement } from "../svg/xml.ts";
import type { Typesetter } from "../text/typesetter.ts";
import type { Expression } from "./grammar.ts";

/** A part of a track as the package keeps it. */
interface TrackPart {
  readonly tagName: string;
  readonly attrs: Readonly<Record<string, string | number>>;
  readonly children: readonly TrackPart[] | string;
  width: number;
}

interface FormattedTrack extends TrackPart {
  format(padding: number): FormattedTrack;
}

export interface Tracks {
  Diagram(...parts: readonly TrackPart[]): FormattedTrack;
  Sequence(...parts: readonly TrackPart[]): TrackPart;
  Choice(normal: number, ...parts: readonly TrackPart[]): TrackPart;
  Optional(part: TrackPart): TrackPart;
  OneOrMore(part: TrackPart, between?: TrackPart): TrackPart;
  ZeroOrMore(part: TrackPart): TrackPart;
  Terminal(text: string): TrackPart;
  NonTerminal(text: string): TrackPart;
  Comment(text: string): TrackPart;
  Skip(): TrackPart;
}

const FONT = { family: "monospace", sizePx: 14, weight: 400, italic: false };
const SMALL = { ...FONT, sizePx: 12, italic: true };
const BESIDE_PX = 20;
const LINE = "#444";

const LOOKS = {
  terminal: { rect: { fill: "#e6f4ea", stroke: LINE }, font: FONT },
  "non-terminal": { rect: { fill: "#e8f0fe", stroke: LINE }, font: FONT },
  special: { rect: { fill: "#fef7e0", stroke: LINE, "stroke-dasharray": "4 2" }, font: FONT },
  comment: { rect: {}, font: SMALL },
} as const;
type Look = keyof typeof LOOKS;

export class Track {
  readonly drawing: XmlElement;
  readonly width: number;
  readonly height: number;
  readonly #tracks: Tracks;
  readonly #typesetter: Typesetter;
  readonly #looks = new Map<TrackPart, Look>();

  constructor(expression: Expression, tracks: Tracks, typesetter: Typesetter) {
    this.#tracks = tracks;
    this.#typesetter = typesetter;
    const track = tracks.Diagram(this.#part(expression)).format(1);
    this.drawing = this.#element(track, undefined);
    this.width = Number(track.attrs["width"]);
    this.height = Number(track.attrs["height"]);
  }

  #part(expression: Expression): TrackPart {
    const { Sequence, Choice, Optional, OneOrMore, ZeroOrMore, Skip } = this.#tracks;
    switch (expression.type) {
      case "terminal":
        return this.#box(expression.text, "terminal");
      case "rule":
        return this.#box(expression.text, "non-terminal");
      case "special":
        return this.#box(expression.text, "special");
      case "sequence":
        return expression.parts.length === 0 ? Skip() : Sequence(...expression.parts.map((part) => this.#part(part)));
      case "choice":
        return Choice(0, ...expression.parts.map((part) => this.#part(part)));
      case "optional":
        return Optional(this.#part(expression.part));
      case "repeated":
        return ZeroOrMore(this.#part(expression.part));
      case "at-least-once":
        return OneOrMore(this.#part(expression.part));
      case "times":
        return OneOrMore(this.#part(expression.part), this.#box(`${expression.count} times`, "comment"));
    }
  }

  #box(text: string, look: Look): TrackPart {
    const { Terminal, NonTerminal, Comment } = this.#tracks;
    const part = look === "terminal" ? Terminal(text) : look === "comment" ? Comment(text) : NonTerminal(text);
    this.#typesetter.noteMissing(text);
    part.width = Math.ceil(this.#typesetter.widthPx(text, LOOKS[look].font)) + BESIDE_PX;
    this.#looks.set(part, look);
    return part;
  }

  #element(part: TrackPart, around: Look | undefined): XmlElement {
    const look = this.#looks.get(part) ?? around;
    const { tagName, attrs, children } = part;
    const isRoot = tagName === "svg";
    const drawn = el(isRoot ? "g" : tagName, isRoot ? {} : { ...withoutClass(attrs), ...styleOf(tagName, look) });
    if (typeof children === "string") drawn.append(children);
    else for (const child of children) drawn.append(this.#element(child, look));
    return drawn;
  }
}

function withoutClass({ class: _name, ...attributes }: TrackPart["attrs"]): TrackPart["attrs"] {
  return attributes;
}

function styleOf(tagName: string, look: Look | undefined): Readonly<Record<string, string | number>> {
  if (tagName === "path") return { fill: "none", stroke: LINE, "stroke-width": 1.5 };
  if (look === undefined) return {};
  const { rect, font } = LOOKS[look];
  if (tagName === "rect") return { ...rect, "stroke-width": 1.5 };
  if (tagName !== "text") return {};
  const slant = font.italic ? { "font-style": "italic" } : {};
  return { "font-family": font.family, "font-size": font.sizePx, "text-anchor": "middle", fill: "#222", ...slant };
}
