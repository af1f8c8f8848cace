// runtimes: bun or node
// time-limit: 300 s
// Formulas, icons, pictures and layouts that come from packages, and the warnings for those that do not.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CommonOptions } from "../../src/api/options.ts";
import { D2Engine } from "../../src/d2/engine.ts";
import { MermaidEngine } from "../../src/mermaid/engine.ts";
import { type Rendering, renderDiagram } from "../../src/render.ts";

const mermaid = new MermaidEngine();
const d2 = new D2Engine();
const LONG_MS = 120_000;

async function draw(source: string, options: CommonOptions = {}): Promise<Rendering> {
  const drawn = await renderDiagram(mermaid, source, options as never);
  if ("fault" in drawn) throw new Error(drawn.fault.message);
  return drawn;
}

async function drawD2(source: string): Promise<Rendering> {
  const drawn = await renderDiagram(d2, source, {});
  if ("fault" in drawn) throw new Error(drawn.fault.message);
  return drawn;
}

const paths = (svg: string) => svg.match(/<path\b/g)?.length ?? 0;
const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><style>.a{fill:#123456}</style>';
const PICTURE = `data:image/svg+xml;base64,${Buffer.from(`${SQUARE}<path class="a" d="M0 0h4v4z"/></svg>`).toString("base64")}`;

describe("formulas", () => {
  test("are drawn as paths in labels of nodes and edges", { timeout: LONG_MS }, async () => {
    const plain = await draw('flowchart LR\n  a["x"] -->|"y"| b["z"]');
    const drawn = await draw('flowchart LR\n  a["$$x^2$$"] -->|"$$\\sqrt{y}$$"| b["$$\\frac{1}{2}$$ of it"]');
    assert.ok(paths(drawn.svg) >= paths(plain.svg) + 6, "each sign is a path");
    assert.match(drawn.svg, /of it/);
    assert.doesNotMatch(drawn.svg, /\$\$|frac|foreignObject|MathML/);
    assert.deepEqual(drawn.warnings, []);
  });

  test("are drawn in every part of a sequence, also at the foot", { timeout: LONG_MS }, async () => {
    const source = (text: string) =>
      `sequenceDiagram\n  participant A as ${text}\n  A->>A: ${text}\n  Note right of A: ${text}`;
    const { svg } = await draw(source("$$\\alpha\\beta$$"));
    // Twice as a participant, in a message and in a note: two letters each.
    assert.equal(paths(svg) - paths((await draw(source("ab"))).svg), 8);
  });

  test("know the commands of KaTeX, which Mermaid draws with in browsers", { timeout: LONG_MS }, async () => {
    const { svg, warnings } = await draw('flowchart LR\n  a["$$f(\\relax{x})$$"] --> b["$$\\phase{-78^\\circ}$$"]');
    assert.doesNotMatch(svg, /relax|phase/);
    assert.deepEqual(warnings, []);
  });

  test("keep no macro for the next diagram", { timeout: LONG_MS }, async () => {
    await draw('flowchart LR\n  a["$$\\def\\own{x}\\own$$"]');
    await assert.rejects(draw('flowchart LR\n  a["$$\\own$$"]'), /Undefined control sequence \\own/);
  });

  test("that are wrong are told with their line", { timeout: LONG_MS }, async () => {
    const drawn = await renderDiagram(mermaid, 'flowchart LR\n  a --> b["$$\\frac{1$$"]', {});
    assert.ok("fault" in drawn);
    assert.deepEqual(drawn.fault, {
      message: 'The formula "\\frac{1" is not valid TeX: Missing close brace.',
      line: 2,
    });
  });

  test("have no links", { timeout: LONG_MS }, async () => {
    await assert.rejects(draw('flowchart LR\n  a["$$\\href{https://example.com}{x}$$"]'), /Undefined control sequence/);
  });
});

describe("icons", () => {
  test("of Font Awesome stand in labels, by their names of all versions", { timeout: LONG_MS }, async () => {
    const { svg, warnings } = await draw('flowchart LR\n  a["fa:fa-car x fab:fa-github y fa:fa-cogs z far:fa-user"]');
    assert.equal(svg.match(/<svg\b/g)?.length, 5, "four icons in the drawing");
    assert.doesNotMatch(svg, /fa-car|fa:/);
    assert.deepEqual(warnings, []);
  });

  test("of logos are drawn in shapes and architectures", { timeout: LONG_MS }, async () => {
    const shape = await draw('flowchart LR\n  a@{ icon: "logos:aws", form: "square", label: "AWS" }');
    assert.deepEqual(shape.warnings, []);
    const { svg, warnings } = await draw("architecture-beta\n  service s(logos:aws-lambda)[Function]");
    assert.doesNotMatch(svg, />\?</);
    assert.deepEqual(warnings, []);
  });

  test("that are not installed are named with the package", { timeout: LONG_MS }, async () => {
    const { svg, warnings } = await draw(
      'flowchart LR\n  a@{ icon: "mdi:home", label: "x" }\n  b["fa:fa-no-such-icon y"]',
    );
    assert.match(svg, />\?</);
    assert.deepEqual(warnings, [
      'Icons were not found: fa:no-such-icon, mdi:home. Icons of the pack "mdi" need its package: npm install @iconify-json/mdi',
    ]);
  });

  test("are looked up under no path", { timeout: LONG_MS }, async () => {
    const { warnings } = await draw('flowchart LR\n  a@{ icon: "../../x:home", label: "x" }');
    assert.match(warnings.join(), /not found: \.\.\/\.\.\/x:home\. Check the names/);
  });
});

describe("pictures", () => {
  test("that are SVG become part of the drawing with their own colours", { timeout: LONG_MS }, async () => {
    const { svg, warnings } = await draw(`flowchart LR\n  a@{ img: "${PICTURE}", label: "x", h: 40, w: 40 }`);
    assert.match(svg, /<svg[^>]* viewBox="0 0 4 4"[^>]*>[\s\S]*fill="#123456"/);
    assert.deepEqual(warnings, []);
  });

  test("that would have to be fetched are placeholders and named, in D2 too", { timeout: LONG_MS }, async () => {
    const address = "https://icons.terrastruct.com/essentials/004-picture.svg";
    const { svg, warnings } = await drawD2(`a: { icon: ${address} }\nb: { shape: image; icon: "${PICTURE}" }`);
    assert.match(svg, /missing-image/);
    assert.match(svg, /#123456/);
    assert.match(warnings.join(), new RegExp(`placeholder stands for ${address}`));
  });

  test("that are scripts are not run", { timeout: LONG_MS }, async () => {
    const hostile = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4" onload="x()"><script>x()</script><image href="https://example.com/x.png"/><path d="M0 0h4v4z"/></svg>',
    );
    const { svg } = await draw(
      `flowchart LR\n  a@{ img: "data:image/svg+xml;base64,${hostile.toString("base64")}", label: "x", h: 40, w: 40 }`,
    );
    assert.doesNotMatch(svg, /<script|onload|example\.com/);
  });
});

describe("configuration", () => {
  test("can come as an option, and is checked like that in a source", { timeout: LONG_MS }, async () => {
    const source = "sequenceDiagram\n  A->>B: x";
    const own = await draw(source);
    const config = { sequence: { mirrorActors: false }, themeVariables: { actorBkg: "#123456" }, theme: "base" };
    const drawn = await draw(source, { config } as CommonOptions);
    assert.match(drawn.svg, /#123456/);
    assert.ok(drawn.height < own.height, "no participants at the foot");
    const inSource = await draw(`---\nconfig: ${JSON.stringify(config)}\n---\n${source}`);
    assert.equal(drawn.svg, inSource.svg);
    assert.equal((await draw(source)).svg, own.svg);
  });

  test("that is not for diagrams to decide is named", { timeout: LONG_MS }, async () => {
    const config = {
      securityLevel: "loose",
      fontFamily: "Papyrus",
      themeCSS: "* { fill: red }",
      sequence: { width: {} },
    };
    const named = [
      "A diagram cannot set securityLevel, fontFamily, themeCSS.",
      "Ignored configuration values that have the wrong type: sequence.width.",
    ];
    const source = "sequenceDiagram\n  A->>B: x";
    const plain = await draw(source);
    for (const drawn of [
      await draw(source, { config } as CommonOptions),
      await draw(`---\nconfig: ${JSON.stringify(config)}\n---\n${source}`),
    ]) {
      assert.deepEqual(drawn.warnings, named);
      assert.equal(drawn.svg, plain.svg);
    }
  });
});

test("mind maps have the layout tidy-tree", { timeout: LONG_MS }, async () => {
  const source = "mindmap\n  root((Root))\n    A\n      A1\n      A2\n    B\n      B1\n    C";
  const [tidy, own] = [await draw(`---\nconfig:\n  layout: tidy-tree\n---\n${source}`), await draw(source)];
  assert.notEqual(tidy.svg, own.svg);
  assert.deepEqual(tidy.warnings, []);
  assert.equal((await draw(source, { layout: "tidy-tree" } as CommonOptions)).svg, tidy.svg);
});

test("entities in a hand-drawn look are drawn", { timeout: LONG_MS }, async () => {
  const { svg } = await draw(
    "---\nconfig:\n  look: handDrawn\n---\nerDiagram\n  A ||--o{ B : has\n  A {\n    List~T~ x PK\n  }",
  );
  assert.match(svg, /List&lt;T&gt;/);
});
