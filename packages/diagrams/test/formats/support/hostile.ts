// Diagrams of the smaller languages written against the reader of the drawing. What is written against the machine is in
// bounds.test.ts.

import type { Format } from "../../../src/api/formats.ts";

type Hostile = readonly (readonly [Format, string])[];

const CSS = "url(https://evil.example/x)";
const xml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A label of each language with each piece of markup, and what else each lets its authors write. */
export function hostileIn(markup: readonly string[]): Hostile {
  return [...markup.flatMap((text) => LABELS.map((label) => label(text))), ...OWN];
}

const LABELS: readonly ((text: string) => readonly [Format, string])[] = [
  (text) => ["nomnoml", `[a ${text.replace(/[[\]|;]/g, " ")}] -> [b]`],
  (text) => ["wavedrom", JSON.stringify({ signal: [{ name: text, wave: "x=.", data: [text] }], head: { text } })],
  (text) => ["pikchr", `box "${text.replace(/["\\]/g, "'")}"`],
  (text) => ["svgbob", `+--+ ${text}`],
  (text) => ["bytefield", `(draw-box "${text.replace(/["\\]/g, "'")}" {:span 8})`],
  (text) => ["dbml", `Table "${text.replace(/["\\]/g, "'")}" {\n  a int [note: '${text.replace(/['\\]/g, " ")}']\n}`],
  (text) => ["statemachinecat", `"${text.replace(/["\\]/g, "'")}" => b: ${text.replace(/[;,\n]/g, " ")};`],
  (text) => ["railroad", `a = '${text.replaceAll("'", " ")}' , b ;`],
  (text) => ["plantuml", `@startuml\na -> b : ${text}\nnote right: ${text}\n@enduml`],
  (text) => [
    "vegalite",
    JSON.stringify({ title: text, data: { values: [{ a: text }] }, mark: "text", encoding: { text: { field: "a" } } }),
  ],
  (text) => ["bpmn", process(`<task id="t" name="${xml(text)}"/>`)],
];

function process(body: string): string {
  return `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t"><process id="p">${body}</process></definitions>`;
}

const mark = (type: string, enter: object) =>
  JSON.stringify({ width: 9, height: 9, marks: [{ type, encode: { enter } }] });
const value = (given: string) => ({ value: given });

const OWN: Hostile = [
  ["nomnoml", `#fill: ${CSS}\n#stroke: red" onload="alert(1)\n[a]`],
  ["nomnoml", "#font: x;} @import '//evil.example'\n#title: </title><script>alert(1)</script>\n[a]"],
  ["nomnoml", `#.x: fill=${CSS} stroke=javascript:alert(1)\n[<x>a]`],
  ["nomnoml", "#import: /etc/passwd\n[a]"],
  ["wavedrom", `{ signal: [{ name: ["a", { href: "javascript:alert(1)", onload: "alert(1)" }, "b"], wave: "p" }] }`],
  ["wavedrom", `{ signal: [{ name: ["script", {}, "alert(1)"], wave: "p" }] }`],
  [
    "wavedrom",
    `{ signal: [{ name: ["image", { href: "https://evil.example/x.png" }], wave: "p" }], __proto__: { x: 1 } }`,
  ],
  ["wavedrom", `{ reg: [{ bits: 8, name: ["script", "alert(1)"], attr: "<script>alert(1)</script>" }] }`],
  ["wavedrom", `{ assign: [["out", ["<script>alert(1)</script>", "a", "b"]]] }`],
  ["pikchr", 'box "x" color 0xffffff fill 99999999999\ntext "</text><script>alert(1)</script>"'],
  ["svgbob", "+--+\n|a |\n+--+\n# Legend:\na = {\n  fill: url(https://evil.example/x); background: red\n}\n"],
  ["svgbob", "+--+\n|{x}|\n+--+\n# Legend:\nx = {\n}</style><script>alert(1)</script><style>{\n}\n"],
  [
    "bytefield",
    '(draw-box "x" {:fill "url(https://evil.example/x)" :onload "alert(1)" :style "background:url(//evil.example)"})',
  ],
  ["bytefield", '(draw-box [:script "alert(1)"])'],
  ["bytefield", '(append-svg [:image {:href "https://evil.example/x.png" :onerror "alert(1)"}])'],
  ["bytefield", "(js/alert 1)"],
  ["bytefield", '(.constructor "x")'],
  ["dbml", "Table a [headercolor: #fff] {\n  b int\n  Note: '</title><script>alert(1)</script>'\n}"],
  ["dbml", "use * from 'https://evil.example/x.dbml'\nTable a { b int }"],
  ["statemachinecat", 'a [color="url(https://evil.example/x)" class="x"]: entry/ <script>alert(1)</script>;'],
  ["statemachinecat", 'a [label="</title><script>alert(1)</script>"], b;\na => b [color="red\\" onload=\\"alert(1)"];'],
  ["railroad", 'a = ? <script>alert(1)</script> ? , "]]>" ;'],
  ["railroad", "a ::= [^<>&\"] '&#x3c;script&#x3e;'"],
  [
    "plantuml",
    "@startuml\na -> b : [[javascript:alert(1) click]]\nnote left: <img:https://evil.example/x.png>\n@enduml",
  ],
  [
    "plantuml",
    '@startuml\nclass A [[javascript:alert(1){tip"onload="alert(1)}]]\nurl of A is [[data:text/html,x]]\n@enduml',
  ],
  [
    "plantuml",
    "@startuml\nskinparam backgroundColor url(https://evil.example/x)\n<style>\nroot { FontName x;}*{fill:url(//evil.example) }\n</style>\na -> b\n@enduml",
  ],
  [
    "plantuml",
    '@startuml\nsprite s <svg viewBox="0 0 9 9"><script>alert(1)</script><image href="https://evil.example/x.png"/><path d="M0 0h9v9z" onclick="alert(1)"/></svg>\nlistsprite\na -> b : <$s>\n@enduml',
  ],
  [
    "plantuml",
    '@startuml\n!$x = %load_json("https://evil.example/x.json")\n!$y = %getenv("HOME")\na -> b : $x $y\n@enduml',
  ],
  ["vega", mark("rect", { href: value("javascript:alert(1)"), width: value("9"), fill: value(CSS) })],
  [
    "vega",
    mark("text", { text: value("x"), href: value("data:text/html,<script>alert(1)</script>"), tooltip: value("<b>") }),
  ],
  ["vega", mark("image", { url: value("https://evil.example/x.png"), width: value("9"), height: value("9") })],
  ["vega", mark("image", { url: value("data:image/svg+xml,<svg onload='alert(1)'/>"), width: value("9") })],
  [
    "vega",
    mark("text", {
      text: { signal: "'</text><script>alert(1)</script>'" },
      font: value("x;}*{fill:url(//evil.example)}"),
    }),
  ],
  ["vega", mark("path", { path: value('M0 0"/><script>alert(1)</script>'), cursor: value(CSS) })],
  ["vega", mark("text", { text: { signal: "constructor.constructor('alert(1)')()" } })],
  [
    "vegalite",
    '{"data":{"values":[{"a":1}]},"mark":{"type":"point","href":"javascript:alert(1)","cursor":"url(https://evil.example)"},"usermeta":{"embedOptions":{"loader":{"baseURL":"https://evil.example"}}}}',
  ],
  ["bpmn", process('<task id="t"><documentation><![CDATA[<script>alert(1)</script>]]></documentation></task>')],
  ["bpmn", `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${process('<task id="t" name="&e;"/>')}`],
];
