import type { z } from "zod";
import { FORMAT_TABLE, type Format } from "../../api/formats.ts";
import { D2_THEMES } from "../../api/options.ts";

const HEADER = "kroki-diagram-options-";

export function headerOptions(headers: Headers): Record<string, string> {
  const options: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name.startsWith(HEADER)) options[name.slice(HEADER.length)] = value;
  });
  return options;
}

/**
 * Kroki's names are in kebab-case, in any case of letters, and come as text. What we do not know is passed over, as Kroki
 * does: its clients send one another's options. What we know must make sense.
 */
export function optionsOf(format: Format, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known: Readonly<Record<string, z.ZodType>> = FORMAT_TABLE[format].options.shape;
  const options: Record<string, unknown> = {};
  const attributes: Record<string, Record<string, string>> = {};
  for (const [name, value] of Object.entries(given)) {
    const [, of, attribute] = ATTRIBUTE.exec(name.trim().toLowerCase()) ?? [];
    const own = ownName(name);
    if (format === "graphviz" && of !== undefined && attribute !== undefined) {
      attributes[of] = { ...attributes[of], [attribute]: String(value) };
    } else if (own in known) {
      const read = readValue(format, own, value, known[own] as z.ZodType);
      if (read !== undefined) options[own] = read;
    }
  }
  return Object.keys(attributes).length > 0 ? { ...options, attributes } : options;
}

/** Graphviz's own, as Kroki names them. */
const ATTRIBUTE = /^(graph|node|edge)-attribute-([a-z_][a-z0-9_]*)$/;

function ownName(name: string): string {
  const plain = name.trim().toLowerCase();
  if (plain === "pad") return "padding";
  return plain.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readValue(format: Format, name: string, value: unknown, shape: z.ZodType): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (name === "scale") return scaleOf(format, Number(text));
  // As Go reads a flag, which is what Kroki hands it to.
  if (name === "sketch") return /^(?:|1|t|true)$/i.test(text);
  if (format === "d2" && /theme$/i.test(name)) return d2Theme(text);
  const meant = [text, Number(text), /^(?:|1|t|true|yes|on)$/i.test(text)].find(
    (each) => shape.safeParse(each).success,
  );
  // `tala` is not free software: Kroki's clients get the default layout for them.
  return meant ?? (name === "layout" ? undefined : text);
}

/** Graphviz takes dots per inch, of which 72 are a point each; D2 takes -1 for "fit the screen". */
function scaleOf(format: Format, scale: number): number | undefined {
  if (format === "graphviz") return scale > 4 ? Math.min(4, Math.max(0.1, scale / 72)) : scale;
  return format === "d2" && scale < 0 ? undefined : scale;
}

/** Kroki's names for themes that D2 calls otherwise. */
const KROKI_THEMES: Readonly<Record<string, string>> = { default: "neutral-default", "neutral-gray": "neutral-grey" };

/** By number, by our name for it, or by D2's own: `Neutral Default`. Kroki draws an unknown one in the default theme. */
function d2Theme(text: string): string | number | undefined {
  if (/^\d+$/.test(text)) return Object.values(D2_THEMES).includes(Number(text)) ? Number(text) : undefined;
  const name = text.toLowerCase().replaceAll(/\s+/g, "-");
  const known = KROKI_THEMES[name] ?? name;
  return known in D2_THEMES ? known : undefined;
}
