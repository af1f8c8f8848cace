import assert from "node:assert/strict";
import { test } from "node:test";
import { flatten } from "./flatten.ts";
import { parseXml, writeXml } from "./svg/xml.ts";

function flat(svg: string): string {
  const root = parseXml(svg);
  flatten(root, { sans: "Arimo", mono: "Cousine" });
  return writeXml(root);
}

test("stylesheets and style attributes become attributes", () => {
  const out = flat(
    '<svg><style>.a{fill:red;rx:3px;font-family:Arial}text{font-size:2em}</style><rect class="a" style="stroke:blue"/><text/></svg>',
  );
  assert.equal(
    out,
    '<svg><rect class="a" fill="red" rx="3" font-family="Arimo" stroke="blue"/><text font-size="32"/></svg>',
  );
});

test("variables, currentColor and transparent are replaced by what they mean", () => {
  const out = flat(
    '<svg style="--c:#123;color:red"><path style="fill:var(--c);stroke:currentColor"/><path fill="transparent" stroke="var(--x, blue)"/></svg>',
  );
  assert.match(out, /<path fill="#123" stroke="red"\/><path fill="none" stroke="blue"\/>/);
});

test("a filter that is not there is not asked for", () => {
  assert.equal(flat('<svg><rect filter="url(#none)"/></svg>'), "<svg><rect/></svg>");
});

test("an arrow head that turns round at the start of a line is a marker of its own", () => {
  const out = flat(
    '<svg><marker id="m" orient="auto-start-reverse" refX="5" refY="5"><path d="M0 0"/></marker><path marker-start="url(#m)" marker-end="url(#m)"/></svg>',
  );
  assert.match(out, /<marker id="m-reversed" orient="auto"[^>]*><g transform="rotate\(180 5 5\)">/);
  assert.match(out, /marker-start="url\(#m-reversed\)" marker-end="url\(#m\)"/);
});
