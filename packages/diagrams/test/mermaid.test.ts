// runtimes: node
// time-limit: 300 s
// Every kind of diagram that Mermaid registers, drawn without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { MermaidOptions } from "../src/api/options.ts";
import { flatten } from "../src/flatten.ts";
import { MermaidEngine } from "../src/mermaid/engine.ts";
import { renderDiagram } from "../src/render.ts";
import { parseXml } from "../src/svg/xml.ts";
import { SOURCES } from "./support/sources.ts";
import { type Structure, structureOf } from "./support/structure.ts";

const engine = new MermaidEngine();
const goldens = JSON.parse(readFileSync(new URL("support/goldens.json", import.meta.url), "utf8")) as Record<
  string,
  Structure
>;
const LONG_MS = 200_000;

async function draw(source: string, options: MermaidOptions = {}) {
  const rendered = await renderDiagram(engine, source, options);
  assert.ok("svg" in rendered, "fault" in rendered ? JSON.stringify(rendered.fault) : "");
  return rendered;
}

async function faultOf(source: string) {
  const rendered = await engine.render(source, {});
  assert.ok("fault" in rendered, "it was drawn");
  return rendered.fault;
}

describe("every kind of diagram", () => {
  test("that Mermaid registers has a source here", async () => {
    // Not diagrams one writes: what is shown for an error, and for front matter that never ends.
    const others = ["error", "---"];
    const names: Record<string, string> = {
      "flowchart-v2": "flowchart",
      classDiagram: "class",
      stateDiagram: "state",
      quadrantChart: "quadrant",
    };
    const drawn = new Set(Object.keys(SOURCES).map((name) => name.split("/")[0]));
    const missing = (await engine.kinds()).filter((kind) => !others.includes(kind) && !drawn.has(names[kind] ?? kind));
    assert.deepEqual(missing, []);
    assert.ok(Object.keys(SOURCES).length >= 60);
  });

  test("draws as before: same size, same elements, same texts", { timeout: LONG_MS }, async () => {
    const changed: string[] = [];
    for (const [name, source] of Object.entries(SOURCES)) {
      const { svg } = await draw(source);
      const [now, golden] = [structureOf(svg), goldens[name]];
      if (JSON.stringify(now) !== JSON.stringify(golden)) changed.push(name);
    }
    assert.deepEqual(changed, [], "node test/diagrams/write-goldens.ts shows what changed");
  });
});

describe("the same source", () => {
  test("gives the same bytes when many are asked for at once", async () => {
    const source = SOURCES["sequence/blocks"] ?? "";
    const drawings = await Promise.all([draw(source), draw(SOURCES["pie/small"] ?? ""), draw(source)]);
    assert.equal(drawings[0].svg, drawings[2].svg);
  });
});

describe("options", () => {
  test("themes, layouts and looks are Mermaid's", async () => {
    const source = SOURCES["flowchart/small"] ?? "";
    const plain = await draw(source);
    for (const options of [{ theme: "dark" }, { theme: "forest" }, { layout: "dagre" }, { look: "handDrawn" }] as const)
      assert.notEqual((await draw(source, options)).svg, plain.svg, JSON.stringify(options));
  });

  test("a dark theme is added for readers whose system is dark", async () => {
    const { svg, warnings } = await draw("sequenceDiagram\n  a->>b: c", { theme: "default", darkTheme: "dark" });
    assert.deepEqual(warnings, []);
    assert.match(svg, /@media \(prefers-color-scheme:dark\)\{/);
  });

  test("padding and scale change the size, and a background covers it", async () => {
    const plain = await draw('pie\n  "a" : 1');
    const framed = await draw('pie\n  "a" : 1', { padding: 10, scale: 2, background: "#fed" });
    assert.equal(framed.width, (plain.width + 20) * 2);
    assert.equal(framed.height, (plain.height + 20) * 2);
    const [ground] = parseXml(framed.svg).elements;
    assert.equal(ground?.attributes.get("fill"), "#fed");
  });

  test("what is not known is refused", () => {
    for (const wrong of [
      { theme: "nope" },
      { scale: 9 },
      { background: "url(x)" },
      { padding: -1 },
      { htmlLabels: true },
    ])
      assert.equal(MermaidOptions.safeParse(wrong).success, false, JSON.stringify(wrong));
  });
});

describe("a fault", () => {
  const cases: readonly [string, number | undefined, number | undefined, RegExp][] = [
    ["flowchart LR\n  a --> b\n  b --> [c", 3, 9, /Unexpected "\["/],
    [
      "---\ntitle: x\n---\n%% a comment\nsequenceDiagram\n  %% another\n  A->>B: ok\n  A->>>B no",
      8,
      7,
      /Unexpected ">"/,
    ],
    ['pie\n  "a" : x', 2, 9, /Unexpected character: x/],
    ["flowchart TD\n  A --> B[open\n  B --> C", 2, 10, /^The bracket "\[" is not closed\.$/],
    ["flowchart LR\n A -- yes --> B{a}} ", 2, 19, /^Mermaid cannot read "\}"\.$/],
    ["classDiagram\n  class A {\n  +x", 3, undefined, /missing.*\}/],
    ["---\nconfig: [\n---\nflowchart LR\n  a", 3, 1, /front matter is not valid YAML/],
    ["%% a comment\n  hello", 2, 3, /Unknown diagram type "hello"/],
    ["", undefined, undefined, /empty/],
    ["zenuml\n  a.b()", undefined, undefined, /zenuml/],
    ["gitGraph\n  checkout nope", 2, 12, /branch nope/],
    ["flowchart LR\n  a --> b\n  linkStyle 1 stroke:red", 3, 3, /^linkStyle names a link/],
    ["flowchart LR\n  subgraph\n    a\n  end", 2, 3, /^A subgraph needs a name/],
    ["flowchart LR\n  a@{ shape: nope }", 2, 14, /^No such shape: nope\.$/],
    ["---\ntitle: x\nflowchart LR\n  a", 1, 1, /^The front matter is not closed/],
    ["gantt\n  dateFormat YYYY-MM-DD\n  a :x, foo, 3d", undefined, undefined, /Invalid date/],
    [`flowchart LR\n${"  a --> b\n".repeat(501)}`, undefined, undefined, /500 edges/],
    [`flowchart LR\n  a["${"x".repeat(1_048_576)}"]`, undefined, undefined, /the limit is 1048576/],
  ];
  for (const [source, line, column, message] of cases)
    test(`says where and what: ${JSON.stringify(source.slice(0, 40))}`, async () => {
      const fault = await faultOf(source);
      assert.match(fault.message, message);
      assert.deepEqual([fault.line, fault.column], [line, column]);
      assert.doesNotMatch(fault.message, /\n|\bat .*\.ts:/);
    });

  test("does not disturb the next drawing", async () => {
    const before = await draw(SOURCES["state/small"] ?? "");
    await faultOf("stateDiagram-v2\n  [*] -->");
    assert.equal((await draw(SOURCES["state/small"] ?? "")).svg, before.svg);
  });
});

describe("what a source may not do", () => {
  const strings = (svg: string) => svg.replace(/xmlns(?::xlink)?="[^"]*"/g, "");

  test("no markup of its own gets into the drawing", async () => {
    const sources = [
      'flowchart LR\n  a["<img src=x onerror=alert(1)>"] --> b["<script>alert(1)</script>x"]',
      'flowchart LR\n  a["<b onclick=alert(1)>bold</b>"]',
      "sequenceDiagram\n  participant A\n  link A: x @ javascript:alert(1)\n  A->>A: <svg onload=alert(1)>",
      'classDiagram\n  class A["<script>alert(1)</script>"]\n  click A href "javascript:alert(1)"',
      'flowchart LR\n  a --> b\n  click a "javascript:alert(1)"\n  click b call alert(1)',
      'pie\n  title <img src=x onerror=alert(1)>\n  "<script>" : 1',
    ];
    for (const source of sources) {
      const { svg } = await draw(source);
      // Between tags it is text, and escaped.
      assert.doesNotMatch(
        svg.replace(/>[^<]*</g, "><"),
        /<(?:script|img|iframe|foreignObject)|javascript:|\son\w+=/i,
        source,
      );
    }
  });

  test("no setting that keeps it safe is changed by front matter", async () => {
    const evil = (config: string, body: string) => `---\nconfig:\n${config}\n---\n${body}`;
    const sources = [
      evil("  securityLevel: loose\n  htmlLabels: true", 'flowchart LR\n  a["<b>x</b>"]'),
      evil("  themeCSS: 'rect{fill:url(https://evil.example)}'", "flowchart LR\n  a"),
      evil("  fontFamily: 'x;} @import url(https://evil.example); y{'", "flowchart LR\n  a"),
      evil("  flowchart:\n    htmlLabels: true", "flowchart LR\n  a"),
      evil("  themeVariables:\n    primaryColor: 'red;} * {background:url(https://evil.example)'", "flowchart LR\n  a"),
      '%%{init: {"themeCSS": "* { background: url(https://evil.example) }"}}%%\nflowchart LR\n  a',
      "flowchart LR\n  a:::x\n  classDef x fill:url(https://evil.example)",
      "flowchart LR\n  a\n  style a fill:red,background:url(https://evil.example)",
    ];
    for (const source of sources) {
      const rendered = await renderDiagram(engine, source, {});
      if ("svg" in rendered) assert.doesNotMatch(strings(rendered.svg), /evil\.example|foreignObject|@import/, source);
    }
  });

  test("links to https stay, and open a page of their own", async () => {
    const { svg } = await draw(SOURCES["flowchart/links"] ?? "");
    assert.match(svg, /<a [^>]*href="https:\/\/example\.com\/a"/);
    assert.match(svg, /rel="noopener noreferrer"/);
  });
});

describe("texts", () => {
  test("on an edge stand on an opaque ground, so that no line runs through them", async () => {
    for (const labels of ["", "---\nconfig:\n  htmlLabels: false\n---\n"]) {
      const root = parseXml((await draw(`${labels}flowchart LR\n  a -->|yes| b`)).svg);
      flatten(root, { sans: "Arimo", mono: "Cousine" });
      const [text] = [...root.descendants()].filter((each) => each.localName === "text" && each.text === "yes");
      const grounds = (text?.parentElement?.elements ?? []).filter(({ localName }) => localName === "rect");
      const { attributes } = grounds.at(-1) ?? { attributes: new Map<string, string>() };
      assert.equal(attributes.get("opacity"), "1", labels);
      assert.match(attributes.get("fill") ?? "", /^(?:#|rgb\()/, labels);
    }
  });

  test("with pictures show those that came along, and a placeholder for others", async () => {
    const pixel =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const own = await draw(`flowchart LR\n  a@{ img: "${pixel}", w: 60, h: 60 } --> b["<img src='${pixel}'> text"]`);
    assert.equal(own.svg.match(/<image [^>]*href="data:image\/png/g)?.length, 2);
    assert.deepEqual(own.warnings, []);
    const other = await draw(
      'flowchart LR\n  a@{ img: "https://x.example/y.png" } --> b["<img src=\'https://x.example/z.png\'>"]',
    );
    assert.doesNotMatch(other.svg, /x\.example|<image/);
    assert.equal(other.svg.match(/class="missing-image"/g)?.length, 2);
    assert.match(other.warnings.join(), /placeholder stands for https:\/\/x\.example\/.*\.png/);
  });

  test("in scripts that the fonts have need no warning", async () => {
    const { warnings } = await draw(SOURCES["flowchart/unicode"] ?? "");
    assert.deepEqual(warnings, []);
  });

  test("with characters that no font has are drawn with a warning that names them", async () => {
    const { warnings } = await draw("flowchart LR\n  a[ᚠᚢ] --> b");
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /U\+16A0/);
  });

  test("are the same in the drawing, with the characters XML keeps for itself", async () => {
    const { svg } = await draw('flowchart LR\n  a["x < y & z > 1"] --> b["#quot;q#quot; #9829; &euro;"]');
    const texts = structureOf(svg).texts;
    assert.deepEqual(texts, ['"q" ♥ €', "x < y & z > 1"]);
  });
});
