import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Cascade } from "./cascade.ts";
import { parseDeclarations, parseStylesheet } from "./css.ts";
import { compileSelector } from "./selector.ts";
import { parseXml, writeXml, XmlError } from "./xml.ts";

describe("XML", () => {
  test("is written as it was read", () => {
    const text = '<svg a="1 &amp; &quot;2&quot;"><g/><text>x &lt; y<tspan>z</tspan></text></svg>';
    assert.equal(writeXml(parseXml(text)), text);
  });

  test("has no document type, comments or sections left", () => {
    const text = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b"><!-- c --><svg><![CDATA[a<b]]></svg>';
    assert.equal(writeXml(parseXml(text)), "<svg>a&lt;b</svg>");
  });

  test("that is broken is refused", () => {
    for (const broken of [
      "",
      "<a>",
      "<a></b>",
      "<a x=1/>",
      "<a x='1' x='2'/>",
      "<a/><b/>",
      "<a>&nope;</a>",
      "<a>&constructor;</a>",

      "x<a/>",
      '<a x="<"/>',
    ])
      assert.throws(() => parseXml(broken), XmlError, broken);
  });
});

describe("CSS", () => {
  test("is read with its strings, brackets and comments", () => {
    const [first, second, third] = parseStylesheet(
      `/* a{} */ .a, .b:not(.c, .d) { fill: url("x;}y"); stroke : red !important } @media (x) { .e{fill:blue} } .f{}`,
    );
    assert.deepEqual(first, {
      type: "style",
      selectors: [".a", ".b:not(.c, .d)"],
      declarations: [
        { property: "fill", value: 'url("x;}y")', important: false },
        { property: "stroke", value: "red", important: true },
      ],
    });
    assert.deepEqual(second?.type === "at" && [second.name, second.prelude], ["media", "(x)"]);
    assert.deepEqual(third, { type: "style", selectors: [".f"], declarations: [] });
  });

  test("leaves out what is no declaration", () => {
    assert.deepEqual(parseDeclarations("fill; :red; a b:c; stroke:; x:y"), [
      { property: "x", value: "y", important: false },
    ]);
  });
});

describe("a selector", () => {
  const root = parseXml('<svg id="d"><g class="node big"><rect/><path/><path data-x="ab"/></g><g><text/></g></svg>');
  const matching = (text: string) => {
    const selector = compileSelector(text);
    return selector === undefined
      ? undefined
      : [...root.descendants()].filter((element) => selector.matches(element)).length;
  };

  test("matches by name, id, class, attribute, place and relation", () => {
    const expected: readonly [string, number][] = [
      ["path", 2],
      ["#d path", 2],
      [".node > path", 2],
      [".node.big rect", 1],
      ["rect + path", 1],
      ["rect ~ path", 2],
      ['[data-x="ab"]', 1],
      ["[data-x^=a][data-x$=b]", 1],
      ["path:nth-child(2)", 1],
      ["path:nth-of-type(2)", 1],
      ["g:not(.node)", 1],
      [":is(rect, text)", 2],
      ["*:first-child", 3],
      [".nodes", 0],
    ];
    for (const [selector, count] of expected) assert.equal(matching(selector), count, selector);
  });

  test("of something that a drawing at rest has not is none", () => {
    for (const selector of ["g:hover", "p::before", "", "a >"]) assert.ok(!matching(selector), selector);
  });
});

test("an element's siblings are the elements beside it, also after others were put in or taken out", () => {
  const root = parseXml("<svg>a<a/>b<b/><c/>c</svg>");
  const neighbours = () =>
    root.elements.map((each) => [each.previousElementSibling?.localName, each.nextElementSibling?.localName]);
  assert.deepEqual(neighbours(), [
    [undefined, "b"],
    ["a", "c"],
    ["b", undefined],
  ]);
  root.children.splice(0, 2);
  assert.deepEqual(neighbours(), [
    [undefined, "c"],
    ["b", undefined],
  ]);
});

test("a cascade lets importance, then weight, then order win", () => {
  const root = parseXml('<svg><rect class="a" id="r" style="stroke:white"/></svg>');
  const [rect] = root.elements;
  assert.ok(rect);
  const declared = new Cascade()
    .add("#r{fill:red} .a{fill:blue;stroke:black!important} rect{fill:green;opacity:1} rect{opacity:2}")
    .declared(rect);
  assert.deepEqual(Object.fromEntries(declared ?? []), { fill: "red", stroke: "black", opacity: "2" });
});
