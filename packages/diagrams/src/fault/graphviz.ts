import type { FaultyLine } from "./teach.ts";

/** The likely cause of a fault in Graphviz, whose own messages say only where it stopped. */
export function graphvizAdvice({ message, source, text }: FaultyLine): string | undefined {
  if (!/syntax error/.test(message)) return undefined;
  const [, near = ""] = /near '([^']*)'/.exec(message) ?? [];
  const isDirected = /^\s*(?:strict\s+)?digraph\b/i.test(withoutComments(source));
  if (/missing endquote/.test(message)) return 'A quote (") is not closed.';
  if (!/^\s*(?:strict\s+)?(?:di)?graph\b/i.test(withoutComments(source)))
    return "Start with digraph { … } or graph { … }.";
  if (near === "->" && !isDirected) return "An edge of a graph is a -- b. Write digraph for arrows.";
  if (near === "--" && isDirected) return "An edge of a digraph is a -> b.";
  if (near === "-" || near === ">") {
    if (/=\s*<(?!<)/.test(text) && /<\w+>/.test(text))
      return "A label as HTML is between two pairs of angle brackets: <<b>text</b>>.";
    return isDirected
      ? "An edge is a -> b. Put names that hold a dash in quotes."
      : "An edge is a -- b. Put names that hold a dash in quotes.";
  }
  const [open, closed] = [/\{/g, /\}/g].map((sign) => withoutStrings(source).match(sign)?.length ?? 0) as [
    number,
    number,
  ];
  if (near === "" && open > closed) return "A { is not closed.";
  if (/=\s*[^"<\s\],;]+\s+[^=\s\],;]+\s*[\],;]/.test(text))
    return 'Put values of several words in quotes: label="two words".';
  if (near === "}" || near === ";")
    return `Something is missing before the ${near}, such as the other end of an edge or a ].`;
  if (near !== "") return `Put names and values with spaces or signs in quotes: "${near.slice(0, 20)}…".`;
  return undefined;
}

function withoutComments(source: string): string {
  return source
    .replace(/^#.*$/gm, "")
    .replace(/\/\/.*$/gm, "")
    .replace(/\/\*(?:[^*]|\*(?!\/))*\*\//g, "");
}

function withoutStrings(source: string): string {
  return source.replace(/"(?:[^"\\]|\\.)*"/g, "");
}
