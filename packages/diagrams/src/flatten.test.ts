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

test("what the root says of colours and letters is said by a group too", () => {
  const out = flat('<svg id="d"><style>#d{fill:#ccc;font-size:16px}</style><text>x</text></svg>');
  assert.equal(out, '<svg id="d" fill="#ccc" font-size="16"><g fill="#ccc" font-size="16"><text>x</text></g></svg>');
});

test("a colour that is none is not there, as in a browser: what is around it counts", () => {
  assert.equal(flat('<svg><text fill="">x</text></svg>'), "<svg><text>x</text></svg>");
  assert.equal(
    flat('<svg><path fill="hsl(240, 100%, NaN%)" stroke="url(#g)"/></svg>'),
    '<svg><path stroke="url(#g)"/></svg>',
  );
});

test("blending stays in a style, where alone it is read", () => {
  assert.equal(
    flat('<svg><g style="mix-blend-mode:multiply"/></svg>'),
    '<svg><g style="mix-blend-mode:multiply"/></svg>',
  );
});

test("colours with decimals become red, green and blue", () => {
  const out = flat('<svg><path fill="hsl(321.6393, 65.5914%, 38.2353%)" stroke="hsla(-240, 100%, 50%, 0.5)"/></svg>');
  assert.match(out, /fill="rgb\(161,34,115\)" stroke="rgba\(0,255,0,0.5\)"/);
  const channels = flat('<svg><path fill="rgb(183.84, 181.5, 0.2)" stroke="rgba(1.6, 2, 3, 0.25)"/></svg>');
  assert.match(channels, /fill="rgb\(184, 182, 0\)" stroke="rgba\(2, 2, 3, 0.25\)"/);
});

test("a line that moves itself is not moved by the text around it as well", () => {
  const out = flat('<svg><text dy="1em"><tspan x="0" dy="1em">a</tspan><tspan x="0" dy="1em">b</tspan></text></svg>');
  assert.match(out, /<tspan x="0" y="16">a<\/tspan><tspan x="0" y="32">b/);
  assert.match(flat('<svg><text dy="1em">a</text></svg>'), /<text y="16">a/);
});
