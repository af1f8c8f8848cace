// runtimes: bun or node
// time-limit: 300 s
// Every kind of drawing of the smaller languages: what it consists of, that it is whole and safe, and that it stays the same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { entryOf, FORMATS, type Format } from "../../src/api/formats.ts";
import { missingEngine } from "../../src/engines.ts";
import { parseXml } from "../../src/svg/xml.ts";
import { type Structure, structureOf } from "../support/structure.ts";
import { drawn, faultIn } from "./support/draw.ts";
import { FORMAT_SOURCES } from "./support/sources.ts";

const LONG_MS = 250_000;
const GOLDENS = JSON.parse(readFileSync(new URL("support/goldens.json", import.meta.url), "utf8")) as Record<
  string,
  Structure
>;
const FORMATS_HERE = [...new Set(FORMAT_SOURCES.map(({ format }) => format))];
const OTHERS: readonly Format[] = ["mermaid", "d2", "graphviz"];

test("every format has a drawing here, or in tests of its own", () => {
  assert.deepEqual([...FORMATS_HERE, ...OTHERS].sort(), [...FORMATS].sort());
});

describe("each drawing", () => {
  for (const { name, format, source } of FORMAT_SOURCES) {
    test(`${name} has the parts that it had, twice`, { timeout: LONG_MS }, async () => {
      const { svg } = await drawn(format, source);
      assert.deepEqual(
        structureOf(svg),
        GOLDENS[name],
        "run: node packages/diagrams/test/formats/support/write-goldens.ts",
      );
      assert.equal((await drawn(format, source)).svg, svg);
    });
  }

  test("is the same whatever was drawn before it", { timeout: LONG_MS }, async () => {
    const first = new Map<string, string>();
    for (const { name, format, source } of FORMAT_SOURCES) first.set(name, (await drawn(format, source)).svg);
    for (const { name, format, source } of FORMAT_SOURCES.toReversed())
      assert.equal((await drawn(format, source)).svg, first.get(name), name);
  });

  test("refers to nothing but its own parts, and its numbers are numbers", { timeout: LONG_MS }, async () => {
    for (const { name, format, source } of FORMAT_SOURCES) {
      const { svg } = await drawn(format, source);
      const ids = new Set([...parseXml(svg).descendants()].map(({ attributes }) => attributes.get("id")));
      for (const [, url, href] of svg.matchAll(/url\(#([^)]+)\)|href="#([^"]+)"/g))
        assert.ok(ids.has(url ?? href), `${name}: ${url ?? href}`);
      assert.doesNotMatch(svg, /NaN|Infinity|undefined|\[object/, name);
    }
  });

  test("has the ground that was asked for, its padding and its scale", { timeout: LONG_MS }, async () => {
    for (const format of FORMATS_HERE) {
      const { source } = FORMAT_SOURCES.find((each) => each.format === format) as (typeof FORMAT_SOURCES)[number];
      const plain = await drawn(format, source);
      assert.match(plain.svg, /fill="(?:white|#fff(?:fff)?)"/i, `${format} has a white ground`);
      const asked = await drawn(format, source, { background: "pink", padding: 20, scale: 2 });
      assert.match(asked.svg, /fill="pink"/, format);
      assert.ok(Math.abs(asked.width - 2 * (plain.width + 40)) < 0.1, `${format}: ${asked.width}, ${plain.width}`);
    }
  });

  test("names letters that no font has, and their script", { timeout: LONG_MS }, async () => {
    const sources: Partial<Record<Format, string>> = {
      plantuml: "a -> b : ᚠᚢ",
      vegalite: '{"title":"ᚠᚢ","data":{"values":[{"a":1}]},"mark":"bar"}',
      nomnoml: "[ᚠᚢ]",
      wavedrom: '{ signal: [{ name: "ᚠᚢ", wave: "p" }] }',
      pikchr: 'box "ᚠᚢ"',
      svgbob: "--> ᚠᚢ",
      bytefield: '(draw-box "ᚠᚢ")',
      dbml: 'Table "ᚠᚢ" { a int }',
      statemachinecat: '"ᚠᚢ" => b;',
      railroad: 'a = "ᚠᚢ" ;',
    };
    for (const [format, source] of Object.entries(sources)) {
      const { warnings } = await drawn(format as Format, source);
      assert.match(warnings.join(" "), /No installed font has .*ᚠ \(U\+16A0\).*script: Runic/, format);
    }
  });
});

test("an engine that is not installed is one sentence with the line that installs it", async () => {
  for (const format of FORMATS) {
    const entry = entryOf(format);
    if (!("isOptional" in entry && entry.isOptional)) continue;
    const drawing = await missingEngine(entry.title, entry.packages).render("x", {});
    const message = `${entry.title} is not installed here. Run: npm install ${entry.packages.join(" ")}`;
    assert.deepEqual(drawing, { fault: { message } });
  }
});

describe("Vega", () => {
  test("draws a picture from the source, and a placeholder for one that would be fetched, with a warning", async () => {
    const vega = FORMAT_SOURCES.find(({ format }) => format === "vega");
    const { svg, warnings } = await drawn("vega", vega?.source ?? "");
    assert.equal([...svg.matchAll(/<image [^>]*href="data:image\/png;/g)].length, 1);
    assert.deepEqual(warnings, [
      "Images are not fetched, so a placeholder stands for https://example.com/x.png. A data: address is drawn.",
    ]);
  });

  test("has its chance from a seed", async () => {
    const source = JSON.stringify({
      width: 50,
      height: 50,
      data: [{ name: "d", values: [{}, {}, {}], transform: [{ type: "formula", as: "x", expr: "random() * 50" }] }],
      marks: [{ type: "symbol", from: { data: "d" }, encode: { enter: { x: { field: "x" }, y: { value: 9 } } } }],
    });
    assert.equal((await drawn("vega", source)).svg, (await drawn("vega", source)).svg);
  });
});

test("Svgbob's options are in its drawing", async () => {
  const { svg } = await drawn("svgbob", "*--> abc", {
    fontFamily: "Arial",
    fontSize: 20,
    strokeWidth: 5,
    strokeColor: "navy",
    fillColor: "red",
  });
  for (const each of [/font-family="Arial/, /font-size="20/, /stroke-width="5"/, /stroke="navy"/, /fill="red"/])
    assert.match(svg, each);
});

test("PlantUML takes a theme, by option", async () => {
  const plain = await drawn("plantuml", "a -> b");
  assert.notEqual((await drawn("plantuml", "a -> b", { theme: "cerulean" })).svg, plain.svg);
  const fault = await faultIn("plantuml", "@startuml\n!theme nosuch\na -> b\n@enduml");
  assert.match(fault.message, /nosuch|theme/i);
});
