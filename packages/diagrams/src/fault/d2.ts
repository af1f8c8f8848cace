import { nearest } from "./nearest.ts";
import type { FaultyLine } from "./teach.ts";

const SHAPES =
  "rectangle square page parallelogram document cylinder queue package step callout stored_data person diamond oval circle hexagon cloud text code class sql_table image sequence_diagram c4-person hierarchy".split(
    " ",
  );

/** The likely cause of a fault in D2. */
export function d2Advice({ message, text }: FaultyLine): string | undefined {
  const [, shape] = /^unknown shape "(.*)"/.exec(message) ?? [];
  if (shape !== undefined) {
    const near = nearest(shape, SHAPES);
    return near === undefined ? `Shapes are ${SHAPES.slice(0, 8).join(", ")} and others.` : `Did you mean ${near}?`;
  }
  if (/maps must be terminated/.test(message))
    return "The { in this line has no }. Put a label that holds { in quotes.";
  if (/strings must be terminated/.test(message)) return "A quote in this line is not closed.";
  if (/block string must be terminated/.test(message)) return "End the block with a line that holds |.";
  if (/missing destination|missing source/.test(message)) return "An arrow needs a name on both sides: a -> b.";
  if (/could not resolve variable/.test(message))
    return "Define it in vars: { name: value }, or write \\${ for the signs themselves.";
  if (/named color|hex code/.test(message)) return 'Put a hex colour in quotes: "#f0ff3a".';
  if (/unexpected map|unexpected (?:text|array)|invalid|reserved/.test(message) && /[;{}|#]/.test(text))
    return "Put a label that holds ; { } | or # in quotes.";
  if (/import|failed to open/.test(message)) return "Files cannot be imported. Put their text into the diagram.";
  return undefined;
}
