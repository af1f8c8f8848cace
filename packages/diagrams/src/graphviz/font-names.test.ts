import assert from "node:assert/strict";
import { test } from "node:test";
import { GraphvizEngine } from "./engine.ts";
import { measuredFamily, withMeasuredFonts, withTrueFonts } from "./font-names.ts";

test("a list of families becomes its first measured one, in its weight and slant", () => {
  const wanted: Readonly<Record<string, string>> = {
    "Helvetica,Arial,sans-serif": "Arial",
    "Georgia, serif": "Times-Roman",
    "Inter, system-ui, sans-serif": "Arial",
    "Fira Mono, monospace": "Courier",
    "JetBrains Mono": "Courier",
    Inter: "Arial",
    "Inter Bold": "OpenSans",
    "Palatino-BoldItalic": "FreeSerif",
    "Verdana Italic": "Arimo",
    "Helvetica-Bold": "OpenSans",
    Helvetica: "Helvetica",
    "Times-Roman": "Times-Roman",
    "Courier-BoldOblique": "FreeMono",
    "": "Arial",
  };
  assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((list) => [list, measuredFamily(list)])), wanted);
});

test("only font names are exchanged, and every line stays where it is", () => {
  const source = `digraph {
# fontname="Inter"
  // fontname="Inter"
  node [fontname = "Inter,
Roboto", label="fontname=Inter"] /* fontname=Inter */
  edge [fontname=Verdana, URL="a=fontname"]
  a [label=<<b>fontname="Inter"</b> <font color="red" face="Inter">x</font>>, "fontname"="Fira Mono"]
  fontname -> "Inter"
}`;
  assert.equal(
    withMeasuredFonts(source),
    `digraph {
# fontname="Inter"
  // fontname="Inter"
  node [fontname = "Arial"
, label="fontname=Inter"] /* fontname=Inter */
  edge [fontname="Arial", URL="a=fontname"]
  a [label=<<b>fontname="Inter"</b> <font color="red" face="Arial">x</font>>, "fontname"="Courier"]
  fontname -> "Inter"
}`,
  );
});

test("a source that is no Graphviz is read in a time that grows with its length alone", () => {
  for (const part of ["<", "<font ", '"', "/*", "fontname", "fontname=", "<<", "\\", '"\\']) {
    const source = `fontname ${part.repeat(100_000 / part.length)}`;
    const startedAt = performance.now();
    assert.ok(withMeasuredFonts(source).length > 0);
    assert.ok(performance.now() - startedAt < 20_000, part);
  }
});

test("bold and slanted fonts are measured as wide as they are drawn, and written by their true names", async () => {
  const engine = new GraphvizEngine();
  const widthOf = async (font: string) => {
    const source = `digraph { a [fontname="${font}", label="a label of thirty letters here"] }`;
    const drawn = await engine.render(source, {});
    if ("fault" in drawn) assert.fail(drawn.fault.message);
    assert.deepEqual(drawn.warnings, [], font);
    return { width: drawn.width, text: /<text[^>]*>/.exec(drawn.svg)?.[0] ?? "" };
  };
  const [bold, plain, mono, typed] = await Promise.all(
    ["Helvetica-Bold", "Helvetica", "Courier-Bold", "Courier"].map(widthOf),
  );
  assert.ok((bold?.width ?? 0) >= (plain?.width ?? 0));
  assert.equal(mono?.width, typed?.width);
  assert.match(bold?.text ?? "", /font-family="Helvetica,sans-Serif" font-weight="bold"/);
  assert.equal(
    withTrueFonts('<text font-family="OpenSans" font-weight="bold"/>'),
    '<text font-family="Helvetica,sans-Serif" font-weight="bold"/>',
  );
});
