import { D2_THEMES, type Format, OPTIONS } from "../../api/options.ts";

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
  const known: Readonly<Record<string, unknown>> = OPTIONS[format].shape;
  const options: Record<string, unknown> = {};
  const attributes: Record<string, Record<string, string>> = {};
  for (const [name, value] of Object.entries(given)) {
    const [, of, attribute] = ATTRIBUTE.exec(name.trim().toLowerCase()) ?? [];
    const own = ownName(name);
    if (format === "graphviz" && of !== undefined && attribute !== undefined) {
      attributes[of] = { ...attributes[of], [attribute]: String(value) };
    } else if (own in known) options[own] = readValue(format, own, value);
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

function readValue(format: Format, name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (name === "scale" || name === "padding") return Number(text);
  if (name === "sketch") return text === "" || text.toLowerCase() === "true";
  if (format === "d2" && /theme$/i.test(name)) return d2Theme(text);
  return text;
}

/** By number, by our name for it, or by D2's own: `Neutral Default`. */
function d2Theme(text: string): string | number {
  if (/^\d+$/.test(text)) return Number(text);
  const name = text.toLowerCase().replaceAll(/\s+/g, "-");
  return name in D2_THEMES ? name : text;
}
