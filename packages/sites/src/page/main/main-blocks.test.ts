import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { extractPage } from "../extract.ts";

const main = (html: string, layout?: "sections") => {
  const { passages } = extractPage(html, layout ? { layout } : {});
  return passages.filter(({ aside }) => !aside).map(({ text }) => text);
};

const PARAGRAPHS = [
  "The mill stands on the river since 1790, and three families have run it, one after the other, through wars and floods.",
  "Its wheel was taken out in 1954, when electricity had become cheaper than mending it, and was put back forty years later.",
  "Today the stones grind spelt, rye and einkorn for bakers of the valley, who fetch it, still warm, on Thursday mornings.",
  "Visitors are welcome, says the miller, as long as they keep away from the belts, which are older than anybody in the village.",
  "A loaf of the first flour, baked on the spot, is given to everyone who helps to lift the new stone into its place in May.",
];
const text = PARAGRAPHS.map((each) => `<p>${each}</p>`).join("");
const links = (n: number) =>
  Array.from({ length: n }, (_, i) => `<li><a href="/${i}">Another story of the valley ${i}</a></li>`).join("");

describe("the main text of an article", () => {
  const around: readonly [string, string][] = [
    ["navigation", `<nav><ul>${links(8)}</ul></nav>`],
    [
      "a side column",
      `<div class="sidebar"><h3>Weather</h3><p>Rain in the north, sun in the south, wind everywhere.</p></div>`,
    ],
    [
      "related pages",
      `<section class="related-posts"><h2>Read also</h2><p>How the bridge was built, and by whom, and why it fell.</p></section>`,
    ],
    [
      "comments",
      `<div id="comments"><p>I was there as a child, and I remember the noise, the dust and the bread.</p></div>`,
    ],
    ["sharing", `<div class="share-buttons"><span>Share this story with your friends and family</span></div>`],
    ["a newsletter", `<form><p>Get our stories, every Friday, in your mailbox, free of charge.</p><input></form>`],
    [
      "a cookie notice",
      `<div class="cookie-consent"><p>We use cookies, pixels and similar techniques, as most sites do.</p></div>`,
    ],
    ["a footer", `<footer><p>The Valley Post, 3 Mill Lane, printed since 1899, all rights reserved.</p></footer>`],
    ["a list of links", `<div><ul>${links(6)}</ul></div>`],
  ];
  for (const [name, html] of around) {
    test(`leaves out ${name}, before and after the text and within it`, () => {
      for (const page of [
        `<body>${html}<article>${text}</article></body>`,
        `<body><article>${text}</article>${html}</body>`,
        `<body><div class="post-content">${text.slice(0, text.length / 2).replace(/<[^>]*$/, "")}${html}${text}</div></body>`,
      ]) {
        const found = main(page).join("\n");
        assert.ok(found.includes(PARAGRAPHS.at(-1) ?? ""), page);
        assert.doesNotMatch(
          found,
          /Rain in|bridge was|noise, the|Share this|every Friday|pixels|Mill Lane|Another story/,
          page,
        );
      }
    });
  }

  test("has neither captions nor the line about its author", () => {
    const page = `<article><h1>The old mill</h1><p class="byline">By Ada Korn, 4 May 2026</p>${text}<figure><img><figcaption>The mill in spring, seen from the bridge, by our reporter.</figcaption></figure></article>`;
    assert.deepEqual(main(page), PARAGRAPHS);
  });

  test("is found in a div without a name, in a table of columns and in lines without paragraphs", () => {
    assert.deepEqual(main(`<div><div><ul>${links(5)}</ul></div><div>${text}</div></div>`), PARAGRAPHS);
    const columns = `<table><tr><td><ul>${links(5)}</ul></td><td>${text}</td></tr></table>`;
    assert.deepEqual(main(columns), PARAGRAPHS);
    assert.deepEqual(main(`<div id="c">${PARAGRAPHS.join("<br><br>")}</div>`), PARAGRAPHS);
  });

  test("goes on in the sections beside the first, however deep they lie", () => {
    const section = (i: number, inner: string) => `<div class="section" id="s${i}"><h2>Part ${i}</h2>${inner}</div>`;
    const page = `<body><div class="content">${section(1, section(2, text) + section(3, text))}${section(4, text)}</div><div class="menu"><ul>${links(9)}</ul></div></body>`;
    assert.equal(main(page).length, PARAGRAPHS.length * 3);
  });

  test("a long paragraph is cut into pieces, and nothing of it is lost", () => {
    const long = Array.from({ length: 400 }, (_, i) => `Sentence number ${i} is here, as all others are.`).join(" ");
    const pieces = main(`<p>${long}</p>`);
    assert.equal(pieces.join(" "), long);
    assert.ok(pieces.every((piece) => piece.length <= 2_000));
  });

  test("what an id of many words happens to say is no name of a part", () => {
    const page = `<div id="sharing-a-mill-with-three-families">${text}</div><p>Short.</p>`;
    assert.deepEqual(main(page), PARAGRAPHS);
  });
});

describe("the main text of a page with many parts", () => {
  const cards = ["Bread for offices", "Cakes to order", "Courses in the mill"].map(
    (name, i) =>
      `<div class="card"><h3>${name}</h3><p>We bring it every morning, fresh and still warm, to ${i + 3} towns of the valley.</p></div>`,
  );
  const home = `<body><nav><ul>${links(6)}</ul></nav><section class="hero"><h1>The mill bakery</h1><p>Bread, cakes and courses in the old mill, since 1790.</p></section>
    <section class="services">${cards.join("")}</section>
    <section class="testimonials"><blockquote>The best bread of the valley, says my grandmother.</blockquote></section>
    <footer><p>3 Mill Lane, open from six to noon, closed on Mondays.</p></footer></body>`;

  for (const layout of [undefined, "sections"] as const) {
    test(`keeps every part but navigation and footer (${layout ?? "found by itself"})`, () => {
      const found = main(home, layout);
      assert.deepEqual(found, [
        "Bread, cakes and courses in the old mill, since 1790.",
        ...[3, 4, 5].map((n) => `We bring it every morning, fresh and still warm, to ${n} towns of the valley.`),
        "The best bread of the valley, says my grandmother.",
      ]);
    });
  }

  test("a home page with a long story keeps its other parts", () => {
    const found = main(home.replace("</nav>", `</nav><section class="story">${text}</section>`), "sections");
    assert.equal(found.length, PARAGRAPHS.length + 5);
  });

  test("headings say whether they belong to the text", () => {
    const { headings } = extractPage(
      `${home}<aside><h2>Weather</h2><p>Rain in the north, sun in the south.</p></aside>`,
    );
    assert.deepEqual(
      headings.filter(({ aside }) => aside).map((heading) => heading.text),
      ["Weather"],
    );
  });
});
