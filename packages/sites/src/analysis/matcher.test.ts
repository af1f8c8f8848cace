import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { scaled } from "../../../../test/support/slowness.ts";
import type { Brand } from "../api/shapes.ts";
import { brandMatcher } from "./matcher.ts";

type Labelled = [brand: Partial<Brand> & { name: string }, naming: string[], notNaming: string[]];

/** Sentences that name a brand, and sentences that only look as if. */
const SET: Labelled[] = [
  [
    { name: "LI", domains: ["li-floors.example"] },
    [
      "LI installs floors.",
      "Ask LI for a quote.",
      "1. li – floors and tiles",
      "- LI: good",
      "See li-floors.example.",
      "The firm (LI) is known.",
      "LI's tiles are fine.",
    ],
    [
      "The tile is vinyl.",
      "An installation takes a day.",
      "I li ke it",
      "LIST OF ALL FIRMS IN LI STREET OF TOWN",
      "A line of linoleum.",
      "Li Wei is a person.",
      "Use <li> in HTML lists like li here.",
    ],
  ],
  [
    { name: "Pedalwerk", aliases: ["Pedalwerk Bikes"], domains: ["pedalwerk.example"] },
    [
      "Pedalwerk builds bikes.",
      "PEDALWERK is fine.",
      "pedalwerk is fine",
      "I like Pedalwerk's bikes.",
      "Pedalwerk’s bikes",
      "Pedal-Werk builds bikes.",
      "Try Pedal Werk in Bristol.",
      "See https://www.pedalwerk.example/mula",
      "pedalwerk.example",
      "**Pedalwerk**: sturdy",
      '"Pedalwerk"',
      "Pedalwerk, Urban Arrow and Tern",
      "Pedalwerk Bikes has it.",
    ],
    [
      "Pedalwerke is another firm.",
      "The pedal works.",
      "a pedal werk of art",
      "Tretpedalwerk",
      "pedalwerk-fake.example",
      "pedalwerk.example.evil.test",
      "notpedalwerk.example",
      "Pedal. Werk is German.",
      "We sell pedals.",
    ],
  ],
  [
    { name: "Café Crème", domains: ["cafecreme.example"] },
    [
      "Café Crème is open.",
      "Cafe Creme is open.",
      "CAFÉ CRÈME!",
      "The Cafe-Creme in town",
      "Cafe\u0301 Cre\u0300me",
      "At cafecreme.example you see it",
      "CaféCrème",
    ],
    ["A café with crème brûlée", "Creme Café", "The café. Crème is extra.", "Cafe au lait", "Cafeteria Cremona"],
  ],
  [
    { name: "AT&T" },
    ["AT&T has plans.", "at&t has plans", "I chose AT & T.", "AT&T's network"],
    ["Look at the t-shirt.", "At 5 we go.", "ATT is another word here.", "at that"],
  ],
  [
    { name: "Coca-Cola", aliases: ["Coke"] },
    ["Coca-Cola is sweet.", "Coca Cola is sweet.", "coca‑cola", "CocaCola", "A Coke, please.", "Coca–Cola"],
    ["Coca leaves and cola nuts", "Cocoa-Cola", "A cola", "coking coal", "Cokes are burnt coal", "coca. Cola"],
  ],
  [
    { name: "Kornblume Bakery", aliases: ["Kornblume"] },
    [
      "Kornblume Bakery bakes.",
      "kornblume bakery",
      "Kornblume-Bakery",
      "I love Kornblume.",
      "1. Kornblume Bakery",
      "| Kornblume | Leeds |",
    ],
    ["Kornblumen are blue.", "The Bakery Kornblum", "Korn blume", "Kornblumenweg 3", "A bakery in Leeds"],
  ],
  [
    { name: "Straße & Söhne" },
    [
      "Straße & Söhne baut.",
      "Strasse & Soehne vielleicht; Strasse & Sohne sicher",
      "STRASSE & SÖHNE",
      "Straße-&-Söhne",
    ],
    ["Die Straße und ihre Söhne", "Straßen & Söhne", "Söhne & Straße"],
  ],
  [
    { name: "Ελλάς Μέλι" },
    ["Το Ελλάς Μέλι είναι καλό.", "ελλας μελι", "ΕΛΛΑΣ ΜΕΛΙ"],
    ["Μέλι από Ελλάδα", "Ελλάς. Μέλι"],
  ],
  [
    { name: "Йогурт Дом" },
    ["Йогурт Дом открыт.", "йогурт дом", "ЙОГУРТ-ДОМ"],
    ["Дом йогурта", "йогурты и дома", "Йогурт. Дом"],
  ],
  [
    { name: "山田製茶" },
    [
      "山田製茶は京都の会社です。",
      "京都の山田製茶がおすすめです",
      "「山田製茶」",
      "山田製茶、伊藤園",
      "おすすめは山田製茶。",
    ],
    ["山田さんは製茶をします", "山本製茶は有名です", "製茶会社", "山田 太郎"],
  ],
  [
    { name: "ソニー" },
    ["ソニーの製品です", "日本のソニーは有名", "ｿﾆｰの製品", "ソニー、任天堂"],
    ["ソニーズという店", "パナソニックの製品", "ソニック", "マソニー"],
  ],
  [
    { name: "삼성" },
    ["삼성은 한국 회사입니다.", "삼성 제품", "나는 삼성을 좋아해요"],
    ["현대는 한국 회사입니다.", "삼 성", "대우 제품"],
  ],
  [{ name: "قمر 🌙" }, ["متجر قمر جيد", "قمر 🌙 متجر", "أنصح ب: قمر"], ["القمرين", "شمس", "قمري"]],
  [{ name: "🍞🍞" }, ["Try 🍞🍞 in Leeds", "🍞🍞!"], ["Try 🍞 in Leeds", "bread bread"]],
  [
    { name: "Monday.com", domains: ["monday.com"] },
    ["Monday.com is a tool.", "Use monday.com for tasks.", "https://monday.com/pricing", "www.monday.com"],
    ["See you on Monday.", "On Monday. Com links", "mondays are long", "monday.com.evil.example", "notmonday.com"],
  ],
  [
    { name: "Tern" },
    ["Tern makes bikes.", "The Tern GSD", "tern bikes", "Tern, Yuba", "2) Tern"],
    ["In internal terms", "A pattern", "terns fly", "Ternary", "lantern"],
  ],
  [
    { name: "Urban Arrow" },
    ["Urban Arrow is Dutch.", "urban arrow", "Urban-Arrow", "The Urban Arrow Family", "URBAN ARROW", "UrbanArrow"],
    ["An urban road, an arrow", "Urban Arrows", "Arrow Urban", "urban. Arrow", "suburban arrow"],
  ],
  [{ name: "3M" }, ["3M makes tape.", "Tape by 3M.", "- 3m tape"], ["It is 3 m long.", "A 3mm gap", "33M people"]],
  [
    { name: "Node.js" },
    ["Node.js is fast.", "node.js", "I use NodeJS daily.", "Node.js's loop"],
    ["A node in a graph", "Node. JS is short", "nodes.json", "A node is js"],
  ],
  [
    { name: "Best Buy" },
    ["Best Buy sells TVs.", "At Best Buy you can", "BEST BUY"],
    ["The best. Buy now", "best buyer", "buy the best", "the best buys"],
  ],
];

describe("the brand matcher", () => {
  const cases = SET.flatMap(([brand, yes, no]) => [
    ...yes.map((text) => ({ brand, text, named: true })),
    ...no.map((text) => ({ brand, text, named: false })),
    ...[`My favourite is ${brand.name}.`, `(${brand.name})`].map((text) => ({ brand, text, named: true })),
    { brand, text: "Nobody is named in this sentence about bread, bikes and floors.", named: false },
  ]);

  test("names are found and nothing else is, on at least 200 labelled sentences", () => {
    const wrong = { missed: [] as string[], made: [] as string[] };
    for (const { brand, text, named } of cases) {
      const found = brandMatcher({ aliases: [], domains: [], ...brand })(text).length > 0;
      if (named && !found) wrong.missed.push(`${brand.name}: ${text}`);
      if (!named && found) wrong.made.push(`${brand.name}: ${text}`);
    }
    const positives = cases.filter(({ named }) => named).length;
    const recall = 1 - wrong.missed.length / positives;
    const precision = (positives - wrong.missed.length) / (positives - wrong.missed.length + wrong.made.length);
    assert.ok(cases.length >= 200, String(cases.length));
    assert.ok(
      recall >= 0.98 && precision >= 0.98,
      JSON.stringify({ cases: cases.length, recall, precision, ...wrong }, null, 1),
    );
  });

  test("a mention says where it stands, and overlapping ones are one", () => {
    const matches = brandMatcher({ name: "Acme", aliases: ["Acme Tools"], domains: ["acme.example"] });
    assert.deepEqual(matches("Try Acme Tools (acme.example) or acme."), [
      { start: 4, end: 14, text: "Acme Tools" },
      { start: 16, end: 28, text: "acme.example" },
      { start: 33, end: 37, text: "acme" },
    ]);
  });

  test("a long hostile text takes no time", () => {
    const matches = brandMatcher({ name: "a b c d e f", aliases: ["aaaa"], domains: ["a.example"] });
    const started = performance.now();
    matches(`${"a ".repeat(100_000)}${"a.".repeat(50_000)}${"a-".repeat(50_000)}`);
    assert.ok(performance.now() - started < scaled(20_000));
  });
});
