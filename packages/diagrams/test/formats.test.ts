// runtimes: node
// time-limit: 300 s
// D2 and Graphviz, and pictures of all three.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CommonOptions, D2Options, GraphvizOptions } from "../src/api/options.ts";
import { D2Engine } from "../src/d2/engine.ts";
import type { DiagramEngine } from "../src/engine.ts";
import { GraphvizEngine } from "../src/graphviz/engine.ts";
import { MermaidEngine } from "../src/mermaid/engine.ts";
import { rasterise } from "../src/png.ts";
import { renderDiagram } from "../src/render.ts";
import { parseXml } from "../src/svg/xml.ts";
import { structureOf } from "./support/structure.ts";

const LONG_MS = 120_000;
const d2 = new D2Engine();
const graphviz = new GraphvizEngine();
const mermaid = new MermaidEngine();

async function drawD2(source: string, options: D2Options = {}) {
  const rendered = await renderDiagram(d2, source, options);
  assert.ok("svg" in rendered, "fault" in rendered ? rendered.fault.message : "");
  return rendered;
}

describe("D2", () => {
  test("is drawn with dagre and with ELK, in themes, sketched and padded", { timeout: LONG_MS }, async () => {
    const source = "a -> b: hello\nb -> c\nb: { shape: circle }";
    const plain = await drawD2(source);
    assert.deepEqual(structureOf(plain.svg).texts, ["a", "b", "c", "hello"]);
    for (const options of [
      { layout: "elk" },
      { theme: "dark-mauve" },
      { theme: 300 },
      { sketch: true },
      { darkTheme: 200 },
    ] as const)
      assert.notEqual((await drawD2(source, options)).svg, plain.svg, JSON.stringify(options));
    const padded = await drawD2(source, { padding: 120 });
    assert.equal(Math.round(padded.width - plain.width), 200);
    assert.equal((await drawD2(source, { scale: 2 })).width, plain.width * 2);
  });

  test("answers calls made at once, each with its own drawing", async () => {
    const drawings = await Promise.all(["one", "two", "three"].map((name) => drawD2(name)));
    assert.deepEqual(
      drawings.map(({ svg }) => structureOf(svg).texts),
      [["one"], ["two"], ["three"]],
    );
  });

  test("gives the same bytes again", async () => {
    const source = "a -> b -> c -> a\nd: { e -> f }";
    assert.equal((await drawD2(source)).svg, (await drawD2(source)).svg);
  });

  test("says where a fault is", async () => {
    const faults = await Promise.all(
      ["a -> b\nx: { shape: nope }", "z: {", "x: @/etc/passwd"].map((source) => d2.render(source, {})),
    );
    const [shape, brace, file] = faults.map((each) => ("fault" in each ? each.fault : assert.fail("it was drawn")));
    assert.deepEqual(shape, { message: 'unknown shape "nope"', line: 2, column: 13 });
    assert.deepEqual([brace?.line, brace?.column], [1, 4]);
    assert.match(file?.message ?? "", /passwd|import/);
  });

  test("draws Markdown as text", async () => {
    const { svg, warnings } = await drawD2("x: |md\n  # Title\n  Some *words* here.\n  - one\n  - two\n|");
    const { texts } = structureOf(svg);
    assert.ok(texts.includes("Title") && texts.includes("Some words here.") && texts.includes("one"), String(texts));
    assert.deepEqual(warnings, []);
    assert.doesNotMatch(svg, /foreignObject/);
  });

  test("lets nothing of a hostile source through", async () => {
    const sources = [
      "x: |md\n  <script>alert(1)</script>\n|",
      "x: |md\n  <img src=x onerror=alert(1)>\n|",
      "x: |md\n  [a](javascript:alert(1)) <b>unclosed\n|",
      'x: { class: "a\\" onload=\\"alert(1)" }',
      "x: { link: javascript:alert(1) }",
      "x: { icon: /etc/passwd }",
      "x: { icon: https://evil.example/x.png }",
      'x: { tooltip: "<script>alert(1)</script>" }',
      'x: "<script>alert(1)</script>"',
      'x: { style.fill: "url(https://evil.example)" }',
      'x: { style.font-color: "red\\" onload=\\"alert(1)" }',
    ];
    for (const source of sources) {
      const rendered = await renderDiagram(d2, source, {});
      if ("svg" in rendered)
        assert.doesNotMatch(rendered.svg, /<script|<img|\son\w+=|javascript:|evil\.example|href="\//i, source);
      else assert.doesNotMatch(rendered.fault.message, /\n/, source);
    }
  });

  test("keeps links to https", async () => {
    const { svg } = await drawD2("x: { link: https://example.com }");
    assert.match(svg, /href="https:\/\/example\.com"/);
  });

  test("refuses options it does not have", () => {
    for (const wrong of [{ theme: 2 }, { theme: "nope" }, { layout: "tala" }, { sketch: "yes" }])
      assert.equal(D2Options.safeParse(wrong).success, false);
  });
});

describe("Graphviz", () => {
  test("is drawn by each of its layouts", async () => {
    for (const layout of ["dot", "neato", "circo"] as const) {
      const rendered = await renderDiagram(graphviz, "digraph { a -> b [label=c] }", { layout });
      assert.ok("svg" in rendered);
      assert.deepEqual(structureOf(rendered.svg).texts, ["a", "b", "c"]);
    }
  });

  test("takes attributes for what the source does not say", async () => {
    const plain = await renderDiagram(graphviz, "digraph { a -> b }", {});
    const attributes = {
      graph: { rankdir: "LR" },
      node: { shape: "box", color: "#aa0000" },
      edge: { color: "#00aa00" },
    };
    const drawn = await renderDiagram(graphviz, "digraph { a -> b }", { attributes });
    const said = await renderDiagram(graphviz, "digraph { node [color=blue] a -> b }", { attributes });
    assert.ok("svg" in plain && "svg" in drawn && "svg" in said);
    assert.ok(plain.height > plain.width && drawn.width > drawn.height, "from left to right");
    assert.match(drawn.svg, /<polygon[^>]*#aa0000/);
    assert.match(drawn.svg, /#00aa00/);
    assert.doesNotMatch(said.svg, /#aa0000/);
  });

  test("refuses attributes that are none, and keeps no script of theirs", async () => {
    for (const wrong of [
      { graph: { "a b": "x" } },
      { node: { shape: 5 } },
      { tree: {} },
      { edge: { x: "y".repeat(201) } },
    ])
      assert.equal(GraphvizOptions.safeParse({ attributes: wrong }).success, false);
    const attributes = { node: { URL: "javascript:alert(1)", image: "/etc/passwd" } };
    const drawn = await renderDiagram(graphviz, "digraph { a }", { attributes });
    if ("svg" in drawn) assert.doesNotMatch(drawn.svg, /javascript:|passwd|<image/);
  });

  test("asks a fresh copy once where the engine itself fails, and does not blame the diagram", async () => {
    const { instance } = await import("@viz-js/viz");
    let loaded = 0;
    const failing = (times: number) => {
      loaded = 0;
      return new GraphvizEngine(async () => {
        const viz = await instance();
        if (++loaded > times) return viz;
        const broken = loaded % 2 === 1;
        const render = () => {
          if (broken) throw new Error("RuntimeError: memory access out of bounds");
          return {
            status: "failure",
            output: undefined,
            errors: [{ message: "Out of bounds call_indirect" }],
          } as const;
        };
        return Object.assign(Object.create(viz), { render }) as typeof viz;
      });
    };
    const once = failing(1);
    assert.ok("svg" in (await once.render("digraph { a }", {})));
    assert.ok("svg" in (await once.render("digraph { b }", {})));
    assert.equal(loaded, 2, "the copy that works is kept");
    const drawing = await failing(2).render("digraph { a }", {});
    assert.deepEqual(drawing, { fault: { message: "Graphviz failed on this diagram. Another layout may work." } });
    assert.equal(loaded, 2);
  });

  test("measures and draws a list of fonts as its first known one", async () => {
    const boxes = async (font: string) => {
      const label = "A label that is wide enough to tell";
      const drawn = await renderDiagram(
        graphviz,
        `digraph { node [shape=box fontname="${font}"] a [label="${label}"] }`,
        {},
      );
      assert.ok("svg" in drawn);
      assert.deepEqual(drawn.warnings, [], font);
      return drawn.width;
    };
    const arial = await boxes("Arial");
    assert.equal(await boxes("Helvetica,Arial,sans-serif"), arial);
    assert.equal(await boxes("Inter"), arial);
    assert.notEqual(await boxes("Georgia, serif"), arial);
    assert.notEqual(await boxes("Fira Mono, monospace"), arial);
  });

  test("says in which line a fault is", async () => {
    const drawing = await graphviz.render("digraph {\n  a ->\n}", {});
    assert.ok("fault" in drawing);
    assert.equal(drawing.fault.line, 3);
  });

  test("reads no file and keeps no script", async () => {
    const source =
      'digraph { a [image="/etc/passwd" URL="javascript:alert(1)" label=<<b>x</b>>]; b [shapefile="/etc/passwd"] }';
    const rendered = await renderDiagram(graphviz, source, {});
    if ("svg" in rendered) assert.doesNotMatch(rendered.svg, /javascript:|passwd|<image/);
  });
});

describe("a PNG", () => {
  const size = (png: Uint8Array) => {
    const view = new DataView(png.buffer, png.byteOffset);
    return [view.getUint32(16), view.getUint32(20)];
  };

  test("has the drawing's size, times the scale", async () => {
    for (const scale of [1, 2, 4]) {
      const rendered = await renderDiagram(mermaid, "flowchart LR\n  a --> b", { scale, background: "white" }, "png");
      assert.ok("picture" in rendered && rendered.picture !== undefined);
      assert.deepEqual(size(rendered.picture), [Math.round(rendered.width), Math.round(rendered.height)]);
    }
  });

  test("is drawn for every format", { timeout: LONG_MS }, async () => {
    const drawings = [
      await renderDiagram(d2, "a -> b", {}, "png"),
      await renderDiagram(graphviz, "digraph { a -> b }", {}, "png"),
    ];
    for (const rendered of drawings) assert.ok("picture" in rendered && (rendered.picture?.length ?? 0) > 500);
  });

  test("of too many pixels is scaled down, and a warning says so", async () => {
    const huge = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="20000" height="20000"/>';
    const { bytes: png, warnings } = await rasterise(huge);
    assert.deepEqual(size(png), [4000, 4000]);
    assert.match(warnings.join(), /20000 × 20000 pixels; the limit is 16 million\. It was scaled down to 4000 × 4000/);
    const line = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 1" width="90000000" height="100000"/>';
    const [width = 0, height = 0] = size((await rasterise(line)).bytes);
    assert.ok(width * height <= 16_000_000 && width > 300 * height, `${width} x ${height}`);
    const wide = `flowchart LR\n${Array.from({ length: 60 }, (_, at) => `  n${at}[A rather long label here] --> n${at + 1}`).join("\n")}`;
    const rendered = await renderDiagram(mermaid, wide, { scale: 4, padding: 200 }, "png");
    assert.ok("picture" in rendered && rendered.picture !== undefined);
    assert.match(rendered.warnings.join(), /scaled down/);
  });
});

describe("in every format", () => {
  const source = (label: string) =>
    [
      [mermaid as DiagramEngine<CommonOptions>, `flowchart LR\n  a["${label}"]`],
      [d2 as DiagramEngine<CommonOptions>, `a: ${label}`],
      [graphviz as DiagramEngine<CommonOptions>, `digraph { a [label="${label}"] }`],
    ] as const;

  test("the background that was asked for is behind the drawing, and nothing lies over it", async () => {
    for (const [engine, text] of source("b")) {
      const drawn = await renderDiagram(engine, text, { background: "pink" });
      assert.ok("svg" in drawn, engine.constructor.name);
      assert.match(drawn.svg, /fill="pink"|background(?:-color)?: ?pink/, engine.constructor.name);
      assert.doesNotMatch(drawn.svg, /<polygon fill="white"/, engine.constructor.name);
    }
  });

  test("characters that no font here has are named, with their script", async () => {
    for (const [engine, text] of source("ᚠᚢᚦ")) {
      const drawn = await renderDiagram(engine, text, {});
      assert.ok("svg" in drawn, engine.constructor.name);
      assert.match(
        drawn.warnings.join(" "),
        /No installed font has .*ᚠ \(U\+16A0\).*script: Runic/,
        engine.constructor.name,
      );
    }
  });
});

test("a milestone of a Gantt chart is turned around its own middle", async () => {
  const drawn = await renderDiagram(mermaid, "gantt\n  dateFormat YYYY-MM-DD\n  M : milestone, 2024-02-10, 0d", {});
  assert.ok("svg" in drawn);
  assert.match(drawn.svg, /transform="translate\(([\d.]+) ([\d.]+)\) rotate\(45\)[^"]* translate\(-\1 -\2\)"/);
});

test("light and dark themes share a drawing where they differ in colours alone", { timeout: LONG_MS }, async () => {
  const kinds = {
    flowchart: "flowchart LR\n a-->b",
    class: "classDiagram\n A <|-- B",
    state: "stateDiagram-v2\n [*] --> A",
    er: "erDiagram\n A ||--o{ B : has",
    sequence: "sequenceDiagram\n A->>B: hi",
  };
  for (const [kind, text] of Object.entries(kinds)) {
    const drawn = await renderDiagram(mermaid, text, { theme: "default", darkTheme: "dark" });
    assert.ok("svg" in drawn, kind);
    assert.deepEqual(drawn.warnings, [], kind);
    assert.match(drawn.svg, /prefers-color-scheme:\s*dark/, kind);
  }
});

test("where more than colours differs both drawings are there, one is seen, and a picture is of the light one", {
  timeout: LONG_MS,
}, async () => {
  for (const text of [
    'pie\n "a" : 1\n "b" : 2',
    "quadrantChart\n x-axis a --> b\n P: [0.3, 0.6]",
    "flowchart LR\n a-->b",
  ]) {
    // Over a ground the inner drawing is blended as one layer, which rounds otherwise.
    const background = "transparent";
    const both = await renderDiagram(mermaid, text, { darkTheme: "dark", background }, "png");
    const light = await renderDiagram(mermaid, text, { background }, "png");
    assert.ok("svg" in both && "svg" in light, text);
    assert.deepEqual(both.warnings, []);
    const root = parseXml(both.svg);
    assertOneIsSeen(root);
    const ids = [root, ...root.descendants()].flatMap(({ attributes }) => attributes.get("id") ?? []);
    assert.equal(new Set(ids).size, ids.length, "no name twice");
    const [dark] = root.elements.filter(({ attributes }) => attributes.get("class")?.includes("on-dark"));
    const used = [...(dark?.descendants() ?? [])].flatMap(({ attributes }) => [...attributes.values()]).join(" ");
    for (const [, id = ""] of used.matchAll(/url\(#([^)]+)\)/g))
      assert.ok(ids.includes(id) && /^d[\da-f]{10}-dark-/.test(id), `${id} is the dark drawing's own`);
    // Without a theme Mermaid's flowcharts have shadows, and the dark one needs a pixel more.
    if (text.startsWith("flowchart")) continue;
    assert.deepEqual([both.width, both.height], [light.width, light.height]);
    assert.deepEqual(both.picture, light.picture);
  }
});

test("in the dark nothing of the light drawing's is left, and its marks keep their colours", {
  timeout: LONG_MS,
}, async () => {
  // What the light theme says of entities the dark one says nothing of: light words on a pale ground.
  const er = await renderDiagram(mermaid, "erDiagram\n A ||--o{ B : has", {
    theme: "redux-color",
    darkTheme: "redux-dark-color",
  });
  assert.ok("svg" in er);
  assertOneIsSeen(parseXml(er.svg));
  // The stylesheet finds this mark by how its name ends.
  const sequence = await renderDiagram(mermaid, "sequenceDiagram\n A-xB: lost", { darkTheme: "dark" });
  assert.ok("svg" in sequence);
  assert.match(sequence.svg, /<marker id="d[\da-f]{10}-dark-[\w-]*-crosshead"/);
});

/** The dark drawing is hidden by an attribute, and a rule for the dark swaps the two. */
function assertOneIsSeen(root: ReturnType<typeof parseXml>): void {
  const [light, dark] = ["on-light", "on-dark"].map((name) =>
    root.elements.find(({ attributes }) => attributes.get("class")?.split(" ").includes(name)),
  );
  assert.ok(light !== undefined && dark !== undefined);
  assert.deepEqual(
    [light, dark].map(({ attributes }) => attributes.get("display")),
    [undefined, "none"],
  );
  const css = root.elements.find(({ localName }) => localName === "style")?.text ?? "";
  const [, inTheDark = ""] = /^@media \(prefers-color-scheme:dark\)\{(.*)\}$/.exec(css) ?? [];
  const shownAs = (drawing: typeof light) => {
    const mark = /dark-\d+/.exec(drawing?.attributes.get("class") ?? "")?.[0];
    return new RegExp(`\\.${mark}\\{[^}]*display:(\\w+)`).exec(inTheDark)?.[1];
  };
  assert.deepEqual([shownAs(light), shownAs(dark)], ["none", "inline"]);
}
