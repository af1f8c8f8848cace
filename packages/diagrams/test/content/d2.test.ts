// runtimes: bun or node
// time-limit: 300 s
// D2's Markdown as text, and its boards.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { D2Options } from "../../src/api/options.ts";
import { D2Engine } from "../../src/d2/engine.ts";
import { type Rendering, renderDiagram } from "../../src/render.ts";
import { parseXml, type XmlElement } from "../../src/svg/xml.ts";

const engine = new D2Engine();
const LONG_MS = 120_000;

async function draw(source: string, options: D2Options = {}): Promise<Rendering> {
  const drawn = await renderDiagram(engine, source, options);
  if ("fault" in drawn) throw new Error(drawn.fault.message);
  return drawn;
}

function textsIn(svg: string): XmlElement[] {
  return [...parseXml(svg).descendants()].filter(({ localName }) => localName === "text");
}

function textWith(svg: string, words: string): XmlElement {
  const found = textsIn(svg).find(({ text }) => text.includes(words));
  assert.ok(found, `no text with "${words}"`);
  return found;
}

describe("Markdown in D2", () => {
  const source = (body: string) => `x: |||md\n${body.replace(/^/gm, "  ")}\n|||`;

  test("has D2's font, weights, links and lists, and no warning", { timeout: LONG_MS }, async () => {
    const { svg, warnings } = await draw(
      source(
        "# Heading\n\nSome *slanted* and **strong** words, `code` and [a link](https://example.com).\n\n- one\n- two",
      ),
    );
    assert.deepEqual(warnings, []);
    assert.match(textWith(svg, "Heading").attributes.get("font-family") ?? "", /font-semibold.*Source Sans Pro/);
    const line = textWith(svg, "slanted");
    assert.match(line.text, /Some slanted and strong words, code and a link/);
    const parts = [...line.descendants()].map((part) => [part.text, part.attributes.get("font-family") ?? ""] as const);
    for (const [word, face] of [
      ["slanted", /font-italic/],
      ["strong", /font-bold/],
      ["code", /font-mono/],
    ] as const)
      assert.ok(
        parts.some(([text, family]) => text === word && face.test(family)),
        word,
      );
    assert.match(svg, /<a [^>]*href="https:\/\/example\.com"/);
    assert.ok(textsIn(svg).some(({ text }) => text === "two"));
  });

  test("keeps to the lines that D2 measured", { timeout: LONG_MS }, async () => {
    const words =
      "Provides a limited subset of the Internet banking functionality to customers via their mobile device.";
    const { svg } = await draw(source(words));
    assert.equal(textWith(svg, "Provides").text, words);
  });

  test("has the colours of the theme, and of a dark one", { timeout: LONG_MS }, async () => {
    const { svg } = await draw(source("# Heading"), { theme: "cool-classics" });
    assert.match(textWith(svg, "Heading").attributes.get("fill") ?? "", /^#/);
    const both = await draw(source("# Heading"), { darkTheme: "dark-mauve" });
    assert.match(textWith(both.svg, "Heading").attributes.get("class") ?? "", /fill-N\d/);
  });

  test("draws the rows of a table beside each other", { timeout: LONG_MS }, async () => {
    const { svg } = await draw(source("| left | right |\n|---|---|\n| 1 | 2 |"));
    // A cell's place is that of its text and of the groups around it.
    const y = (words: string) => textWith(svg, words).attributes.get("y");
    assert.equal(y("left"), y("right"));
    assert.notEqual(y("left"), y("1"));
  });
});

describe("boards of D2", () => {
  const source =
    "a -> b\nlayers: {\n  inside: {\n    c -> d\n    layers: {\n      deep: { e }\n    }\n  }\n}\nsteps: {\n  1: { f }\n}";

  test("are all drawn, one below the other, with their paths", { timeout: LONG_MS }, async () => {
    const { svg, height } = await draw(source);
    const words = textsIn(svg).map(({ text }) => text);
    const titles = ["layers.inside", "layers.inside.layers.deep", "steps.1"];
    for (const each of [...titles, "a", "b", "c", "d", "e", "f"]) assert.ok(words.includes(each), each);
    assert.ok(height > 3 * (await draw(source, { board: "root" })).height);
    const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, "every id is used once");
  });

  test("can be picked by name or path", { timeout: LONG_MS }, async () => {
    const shown = async (board: string) => textsIn((await draw(source, { board })).svg).map(({ text }) => text);
    assert.deepEqual((await shown("root")).sort(), ["a", "b"]);
    assert.deepEqual((await shown("inside")).sort(), ["c", "d"]);
    assert.deepEqual(await shown("layers.inside.layers.deep"), ["e"]);
    await assert.rejects(draw(source, { board: "nope" }), {
      message: 'The diagram has no board "nope". Its boards: root, layers.inside, layers.inside.layers.deep, steps.1.',
    });
  });

  test("can be folders alone", { timeout: LONG_MS }, async () => {
    const { svg } = await draw("layers: {\n  one: { x }\n}");
    assert.ok(textsIn(svg).some(({ text }) => text === "x"));
  });

  test("above the limit are counted in a warning", { timeout: LONG_MS }, async () => {
    const many = Array.from({ length: 55 }, (_, at) => `  l${at}: { x }`).join("\n");
    const { warnings } = await draw(`a\nlayers: {\n${many}\n}`);
    assert.deepEqual(warnings, ['The diagram has 56 boards; 6 of them are not drawn. The option "board" picks one.']);
  });
});
