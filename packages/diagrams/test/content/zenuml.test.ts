import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/program.ts";
import { ZenUmlDrawer } from "../../src/mermaid/zenuml/zenuml.ts";

const SOURCE = "---\ntitle: Order\n---\n%% a comment\nzenuml\n  A.go()\n  B->";

/** What the published package exports, as far as it is used. It tells what it can reach. */
const PACKAGE = `
  exports.renderToSvg = (source) => {
    console.error("line 3:5 mismatched input '<EOF>'");
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.font = '14px "IBM Plex Sans", Helvetica';
    const reached = [typeof process, typeof fetch, typeof require, typeof document].join(" ");
    return { svg: \`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30">
      <style>@font-face { font-family: "IBM Plex Sans"; src: url(data:font/woff2;base64,AA) }
      .a { font-family: "IBM Plex Sans", Helvetica; fill: red; }</style>
      <text class="a" x="1" y="9">\${source.trim().split("\\n")[0]} \${canvas.measureText("mm").width > 20} \${reached}</text></svg>\` };
  };`;

test("ZenUML is drawn by its package, with our fonts, and names the lines that it did not understand", async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist/zenuml.js"), PACKAGE);
  assert.ok(ZenUmlDrawer.draws(SOURCE));
  assert.ok(!ZenUmlDrawer.draws("flowchart LR\n  zenuml --> b"));
  const drawn = await new ZenUmlDrawer(() => folder).draw(SOURCE);
  if ("fault" in drawn) assert.fail(drawn.fault.message);
  assert.match(drawn.svg, />A\.go\(\) true undefined undefined undefined undefined</);
  assert.match(drawn.svg, /font-family:Arimo/);
  assert.doesNotMatch(drawn.svg, /font-face|Plex/);
  assert.deepEqual(drawn.warnings, ["Line 7, column 6 was read in part only: mismatched input '<EOF>'."]);
});

test("ZenUML without its package is one sentence with the line that installs it", async () => {
  const drawn = await new ZenUmlDrawer(() => undefined).draw(SOURCE);
  assert.deepEqual(drawn, { fault: { message: "ZenUML is not installed here. Run: npm install @zenuml/core" } });
});
