import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderFlags, tasksOf } from "./task.ts";

test("a file is drawn beside itself, in the format its ending tells; options are typed", () => {
  assert.deepEqual(tasksOf(["docs/a.mmd"], { scale: "2", "dark-theme": "dark" }), [
    {
      file: "docs/a.mmd",
      format: "mermaid",
      outputType: "svg",
      options: { darkTheme: "dark", scale: 2 },
      output: "docs/a.svg",
    },
  ]);
  const [d2] = tasksOf(["-"], { format: "d2", theme: "200", sketch: true });
  assert.partialDeepStrictEqual(d2, { output: undefined, options: { theme: 200, sketch: true } });
  for (const flags of [{ png: true }, { output: "x.PNG" }, { "output-type": "png" }])
    assert.equal(tasksOf(["a.gv"], flags)[0]?.outputType, "png");
  const pdfs = tasksOf(["a.gv", "b.vl.json"], { "output-type": "pdf" });
  assert.deepEqual(
    pdfs.map(({ output }) => output),
    ["a.pdf", "b.pdf"],
  );
});

test("wrong use is refused by the name of its flag", () => {
  const wrong: [string[], RenderFlags, RegExp][] = [
    [["a.mmd", "b.dot"], { output: "x.svg" }, /--output works with one file/],
    [["a.mmd", "a.dot"], {}, /"a\.mmd" and "a\.dot" would both be written to a\.svg/],
    [["-", "-"], { format: "d2" }, /written to standard output/],
    [["README"], {}, /format of "README" is unknown/],
    [["a.mmd"], { output: "a.gif" }, /"a\.gif" must end in \.svg, \.pdf, \.png/],
    [["a.mmd"], { output: "a.svg", png: true }, /--png would be written to "a\.svg"/],
    [["a.mmd"], { output: "a.svg", "output-type": "pdf" }, /--output-type pdf would be written to "a\.svg"/],
    [["a.mmd"], { png: true, "output-type": "pdf" }, /Use --png or --output-type pdf/],
    [["a.mmd"], { background: "whte" }, /^--background must be a CSS colour such as #fff or white\.$/],
    [["a.mmd"], { format: "ditaa" }, /Unknown format "ditaa"/],
    [["a.mmd"], { sketch: true }, /--sketch does not apply to mermaid/],
    [["a.mmd"], { scale: "9" }, /^--scale must be at most 4\.$/],
    [["a.mmd"], { scale: "much" }, /^--scale must be a number\.$/],
    [["a.mmd"], { "dark-theme": "nope" }, /^--dark-theme must be one of default, base, dark, /],
    [["a.d2"], { theme: "nope" }, /^--theme must be one of neutral-default, /],
    [["a.d2"], { theme: "99" }, /^--theme must be one of /],
    [["a.mmd"], { padding: "1.5" }, /^--padding must be a whole number\.$/],
    [["a.mmd"], { padding: "-1" }, /^--padding must be at least 0\.$/],
    [["a.d2"], { engine: "firefox" }, /^--engine must be chromium\.$/],
  ];
  for (const [files, flags, said] of wrong) assert.throws(() => tasksOf(files, flags), { message: said });
});
