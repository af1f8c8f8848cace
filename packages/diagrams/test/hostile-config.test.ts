// runtimes: bun or node
// Hostile configuration of Mermaid diagrams, and random configuration. What reaches the drawing is judged by css-tree's own
// tokens, not by our lists; test/diagrams/hostile-in-chromium.test.ts opens the same drawings in a browser.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CssNode, parse, walk } from "css-tree";
import type { CommonOptions } from "../src/api/options.ts";
import type { DiagramEngine } from "../src/engine.ts";
import { engineOf } from "../src/engines.ts";
import { renderDiagram } from "../src/render.ts";
import { parseXml } from "../src/svg/xml.ts";
import { HOSTILE_CONFIG, randomConfigs } from "./support/hostile-config.ts";

const RANDOM = process.env["TORTURE"] === "1" ? 3000 : 60;
const SEED = Number(process.env["SEED"] ?? 14);

const mermaid = async () => (await engineOf("mermaid")) as DiagramEngine<CommonOptions>;

async function drawn(sources: readonly string[]): Promise<string[]> {
  const engine = await mermaid();
  const svgs: string[] = [];
  for (const source of sources) {
    const rendered = await renderDiagram(engine, source, {});
    if ("svg" in rendered) svgs.push(rendered.svg);
  }
  return svgs;
}

describe("the configuration of a Mermaid diagram", () => {
  test(`${HOSTILE_CONFIG.length} hostile theme variables put no rule of their own into the drawing`, async () => {
    const svgs = await drawn(HOSTILE_CONFIG);
    // A source that is refused proves nothing: most must come through.
    assert.ok(svgs.length > HOSTILE_CONFIG.length * 0.8, `${svgs.length} of ${HOSTILE_CONFIG.length} were drawn`);
    assert.deepEqual(svgs.flatMap(problems), []);
  });

  test(`${RANDOM} random configurations put nothing foreign into the drawing (seed ${SEED})`, {
    timeout: 600_000,
  }, async () => {
    const svgs = await drawn(randomConfigs(RANDOM, SEED));
    assert.ok(svgs.length > RANDOM * 0.3, `${svgs.length} of ${RANDOM} were drawn`);
    assert.deepEqual(svgs.flatMap(problems), []);
  });

  test("is ignored where a value has the wrong type, and a warning names it", async () => {
    const engine = await mermaid();
    const source = `---\nconfig:\n  themeVariables:\n    radar:\n      axisColor: "red;}*{fill:blue"\n      axisStrokeWidth: 4\n---\nradar-beta\n  axis A, B, C\n  curve x{1,2,3}`;
    const rendered = await renderDiagram(engine, source, {});
    assert.ok("svg" in rendered);
    assert.deepEqual(rendered.warnings, [
      "Ignored configuration values that have the wrong type: themeVariables.radar.axisColor.",
    ]);
    assert.match(rendered.svg, /class="radarAxisLine" stroke="#333333" stroke-width="4"/);
  });

  test("is kept where its values have the right type", async () => {
    const engine = await mermaid();
    const source = `---\nconfig:\n  theme: base\n  themeVariables:\n    primaryColor: "rgb(1, 2, 3)"\n    fontFamily: "'Noto Sans', sans-serif;"\n    fontSize: 20px\n  flowchart:\n    curve: basis\n    padding: "12"\n---\nflowchart LR\n  a --> b`;
    const rendered = await renderDiagram(engine, source, {});
    assert.ok("svg" in rendered);
    assert.deepEqual(rendered.warnings, []);
    assert.match(rendered.svg, /fill="rgb\(1,2,3\)"/);
    assert.match(rendered.svg, /font-size="20"/);
  });
});

/** What would load, run, or apply outside of the drawing. */
function problems(svg: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const found = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]|\p{Cs}/u.test(svg) ? ["a control character"] : [];
  const root = parseXml(svg);
  for (const element of [root, ...root.descendants()]) {
    const css = element.localName === "style" ? element.text : `a{${element.attributes.get("style") ?? ""}}`;
    walk(parse(css, { parseCustomProperty: true }), (node) => {
      const problem = problemOf(node, element.localName === "style");
      if (problem !== undefined) found.push(`${problem} in ${css.slice(0, 200)}`);
    });
  }
  return found;
}

function problemOf(node: CssNode, inStylesheet: boolean): string | undefined {
  if (node.type === "Raw") return `unparsed ${node.value}`;
  if (node.type === "Url" && !/^#|^data:application\/font-woff/.test(node.value)) return node.value;
  if (node.type === "Function" && /image|url|src|element|paint|attr|cross/i.test(node.name)) return node.name;
  if (node.type === "Atrule" && !/^(?:media|keyframes|font-face)$/.test(node.name)) return `@${node.name}`;
  if (node.type === "Declaration" && /^(?:position|inset|top|left|content|behavior)$/.test(node.property))
    return node.property;
  if (node.type !== "Rule" || !inStylesheet || node.prelude.type !== "SelectorList") return undefined;
  const outside = node.prelude.children.toArray().find((selector) => {
    const first = selector.type === "Selector" ? selector.children.first : null;
    return !(first?.type === "IdSelector" && first.name === "diagram") && !isKeyframe(first);
  });
  return outside === undefined ? undefined : "a selector outside of the drawing";
}

function isKeyframe(node: CssNode | null | undefined): boolean {
  return node?.type === "Percentage" || (node?.type === "TypeSelector" && /^(?:from|to)$/.test(node.name));
}
