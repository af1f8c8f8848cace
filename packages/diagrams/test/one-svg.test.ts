// runtimes: node
// time-limit: 300 s
// One SVG for every viewer: no stylesheet needed, names of its own, a ground of its own, and a PNG that cannot end its renderer.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Format } from "../src/api/formats.ts";
import type { CommonOptions } from "../src/api/options.ts";
import type { DiagramEngine } from "../src/engine.ts";
import { engineOf } from "../src/engines.ts";
import { renderDiagram } from "../src/render.ts";
import { parseXml, type XmlElement } from "../src/svg/xml.ts";

const LONG_MS = 120_000;

async function draw(format: Format, source: string, options: object = {}, output: "svg" | "png" = "svg") {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const rendered = await renderDiagram(engine, source, options, output);
  assert.ok("svg" in rendered, "fault" in rendered ? rendered.fault.message : "");
  return rendered;
}

const SOURCES: readonly (readonly [Format, string])[] = [
  ["mermaid", "flowchart LR\n  a[Rück <b>bold</b> end] -->|yes| b{Choice}"],
  ["mermaid", "sequenceDiagram\n  Alice->>Bob: hi"],
  ["d2", "a -> b: hello\nc: { shape: circle; style.shadow: true }"],
  ["graphviz", "digraph { a -> b [label=c] }"],
];

function elementsOf(svg: string): XmlElement[] {
  const root = parseXml(svg);
  return [root, ...root.descendants()];
}

describe("every viewer", () => {
  test("finds colours and fonts in attributes, not in a stylesheet", { timeout: LONG_MS }, async () => {
    for (const [format, source] of SOURCES) {
      const { svg } = await draw(format, source);
      const css = elementsOf(svg)
        .filter(({ localName }) => localName === "style")
        .map(({ text }) => text.replace(/@font-face\{[^}]*\}/g, ""));
      assert.equal(css.join(""), "", `${format}: only fonts are left in a stylesheet`);
      assert.doesNotMatch(svg, /var\(|currentColor|!important|rgba\(/, format);
    }
  });

  test("finds shadows in steps that it knows, and arrow heads that it can turn", { timeout: LONG_MS }, async () => {
    const { svg } = await draw("mermaid", "flowchart LR\n  a{Choice} <--> b([Round])");
    assert.match(svg, /<feFlood[^>]*><\/?[^>]*|<feComposite/);
    assert.match(svg, /filter="url\(#/);
    assert.doesNotMatch(svg, /feDropShadow|auto-start-reverse/);
  });

  test("places every line on the alphabetic baseline", { timeout: LONG_MS }, async () => {
    const sources = [
      'pie\n "a" : 1\n "b" : 2',
      "sequenceDiagram\n  A->>B: x",
      "quadrantChart\n x-axis a --> b\n P: [0.3, 0.6]",
    ];
    for (const source of sources) {
      const { svg } = await draw("mermaid", source);
      assert.doesNotMatch(svg, /dominant-baseline/, source);
    }
  });

  test("sees no line through the words of an edge, with either kind of labels", { timeout: LONG_MS }, async () => {
    for (const head of ["", '%%{init: {"flowchart": {"htmlLabels": false}}}%%\n']) {
      const { svg } = await draw("mermaid", `${head}flowchart LR\n  a -->|yes| b`);
      const all = elementsOf(svg);
      const label = all.find(({ attributes }) => /\bedgeLabel\b/.test(attributes.get("class") ?? ""));
      const grounds = [...(label?.descendants() ?? [])].filter(({ localName }) => localName === "rect");
      assert.ok(grounds.length > 0, svg);
      const last = grounds.at(-1)?.attributes;
      assert.equal(Number(last?.get("opacity") ?? 1) * Number(last?.get("fill-opacity") ?? 1), 1, head);
    }
  });

  test("keeps the spaces between the parts of a label", { timeout: LONG_MS }, async () => {
    const { svg } = await draw("mermaid", "flowchart LR\n  a[Rück <b>bold</b> end]");
    const label = elementsOf(svg).find(({ localName, text }) => localName === "text" && text.includes("bold"));
    assert.equal(label?.text, "Rück bold end");
    assert.equal(label?.attributes.get("xml:space"), "preserve");
  });

  test("finds no arrow head, gradient or shadow that nothing uses", { timeout: LONG_MS }, async () => {
    for (const [format, source] of SOURCES) {
      const { svg } = await draw(format, source);
      const unused = elementsOf(svg).filter(({ localName, attributes }) => {
        if (!/^(?:marker|filter|linearGradient|radialGradient|clipPath|mask)$/.test(localName)) return false;
        return !svg.includes(`url(#${attributes.get("id")})`);
      });
      assert.deepEqual(
        unused.map(({ attributes }) => attributes.get("id")),
        [],
        format,
      );
    }
  });
});

describe("names", () => {
  test("of two different drawings are never the same", { timeout: LONG_MS }, async () => {
    const drawings = [
      await draw("mermaid", "flowchart LR\n  a --> b"),
      await draw("mermaid", "flowchart LR\n  a --> b", { theme: "forest" }),
      await draw("mermaid", "flowchart LR\n  a --> b", { background: "transparent" }),
      await draw("mermaid", "flowchart LR\n  a --> c"),
      await draw("d2", "a -> b"),
      await draw("d2", "a -> b", { padding: 50 }),
      await draw("graphviz", "digraph { a -> b }"),
      await draw("graphviz", "digraph { a -> c }"),
    ];
    const names = drawings.flatMap(({ svg }) =>
      elementsOf(svg).flatMap(({ attributes }) => attributes.get("id") ?? []),
    );
    assert.equal(new Set(names).size, names.length);
  });

  test("are the same for the same drawing, and everything refers to what is there", { timeout: LONG_MS }, async () => {
    for (const [format, source] of SOURCES) {
      const [one, again] = [await draw(format, source), await draw(format, source)];
      assert.equal(one.svg, again.svg, format);
      const ids = new Set(elementsOf(one.svg).map(({ attributes }) => attributes.get("id")));
      for (const [, id] of one.svg.matchAll(/url\(#([^)]+)\)|href="#([^"]+)"/g))
        assert.ok(ids.has(id), `${format}: ${id}`);
    }
    const titled = await draw("mermaid", "flowchart LR\n  accTitle: A title\n  accDescr: More\n  a");
    const root = parseXml(titled.svg);
    const ids = new Set([...root.descendants()].map(({ attributes }) => attributes.get("id")));
    for (const name of ["aria-labelledby", "aria-describedby"]) assert.ok(ids.has(root.attributes.get(name)), name);
  });
});

describe("links and tooltips", () => {
  test("to http, https, mail and pages beside it are kept in all three languages", { timeout: LONG_MS }, async () => {
    const linkIn = async (format: Format, address: string) => {
      const sources: Partial<Record<Format, string>> = {
        mermaid: `flowchart LR\n  a\n  click a "${address}" "A tip"`,
        d2: `a: { link: "${address}"; tooltip: A tip }`,
        graphviz: `digraph { a [URL="${address}" tooltip="A tip"] }`,
      };
      const { svg } = await draw(format, sources[format] ?? "");
      const all = elementsOf(svg);
      const link = all.find(({ localName }) => localName === "a")?.attributes.get("xlink:href");
      return { link, titles: all.filter(({ localName }) => localName === "title").map(({ text }) => text) };
    };
    for (const format of ["mermaid", "d2", "graphviz"] as const) {
      for (const address of [
        "http://example.com/a",
        "https://example.com/a",
        "mailto:a@example.com",
        "guide/page.html",
      ]) {
        // D2 takes an address without a scheme for one of its own boards.
        if (format === "d2" && !address.includes(":")) continue;
        const { link, titles } = await linkIn(format, address);
        assert.equal(link, address, format);
        assert.ok(titles.includes("A tip"), `${format}: ${titles}`);
      }
      for (const address of ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd"]) {
        const { link } = await linkIn(format, address);
        assert.ok(link === undefined || link === "about:blank" || link === "#", `${format}: ${address} became ${link}`);
      }
    }
  });
});

describe("the ground", () => {
  const ground = (svg: string) =>
    elementsOf(svg)
      .find(({ localName }) => localName === "rect" || localName === "polygon")
      ?.attributes.get("fill");

  test("is white unless asked otherwise, in all languages", { timeout: LONG_MS }, async () => {
    for (const [format, source] of SOURCES) {
      assert.match(ground((await draw(format, source)).svg) ?? "", /^(?:white|#FFFFFF)$/i, format);
      assert.equal(ground((await draw(format, source, { background: "pink" })).svg), "pink", format);
    }
    const open = await draw("mermaid", "flowchart LR\n  a", { background: "transparent" });
    assert.doesNotMatch(open.svg, /<rect x="[\d.-]+" y="[\d.-]+" width="[\d.]+" height="[\d.]+" fill="white"/);
  });

  test("is dark behind a dark theme, by option and in the source, and for readers in the dark", {
    timeout: LONG_MS,
  }, async () => {
    assert.equal(ground((await draw("mermaid", "flowchart LR\n  a", { theme: "dark" })).svg), "#333");
    const own = "---\nconfig:\n  theme: dark\n---\nflowchart LR\n  a";
    assert.equal(ground((await draw("mermaid", own)).svg), "#333");
    assert.equal(ground((await draw("mermaid", "flowchart LR\n  a")).svg), "white", "the drawing after it");
    const both = await draw("mermaid", "sequenceDiagram\n  a->>b: c", { darkTheme: "dark" });
    assert.equal(ground(both.svg), "white");
    assert.match(both.svg, /@media \(prefers-color-scheme:dark\)\{[^@]*fill:#333/);
  });

  test("and colours of D2 change for readers in the dark", { timeout: LONG_MS }, async () => {
    const { svg } = await draw("d2", "a -> b", { darkTheme: 200 });
    assert.match(svg, /@media \(prefers-color-scheme:dark\)\{#d[\da-f]{10} \.dark-0/);
    assert.match(svg, /fill:#1E1E2E/);
  });
});

describe("a picture", () => {
  const NEVER_SEEN: Readonly<Record<string, string>> = {
    "an empty section": "journey\n  title x\n  section empty",
    "a mark of today a thousand years away":
      "gantt\n  dateFormat YYYY-MM-DD\n  todayMarker stroke-width:5px,stroke:#0f0,opacity:0.5\n  section A\n  T1: a, 1010-01-01, 30d",
  };

  test("of what lies outside of the drawing leaves its process alive", { timeout: LONG_MS }, async () => {
    for (const [name, source] of Object.entries(NEVER_SEEN)) {
      const { picture: png } = await draw("mermaid", source, {}, "png");
      assert.ok((png?.length ?? 0) > 500, name);
    }
  });
});
