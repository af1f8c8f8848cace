import assert from "node:assert/strict";
import { test } from "node:test";
import type { Coverage } from "../api/report.ts";
import type { Prompt } from "../api/shapes.ts";
import { coverageOf } from "./coverage.ts";
import type { SitePassage } from "./passages.ts";

const passages = (...texts: [heading: string, text: string][]): SitePassage[] =>
  texts.map(([heading, text]) => ({ url: "https://example.com/", heading, text }));

const BAKERY = passages(
  [
    "Sourdough bread for offices",
    "Kornblume Bakery bakes organic sourdough bread and delivers it to offices in Leeds every morning before nine.",
  ],
  [
    "Office breakfast delivery",
    "Our office breakfast delivery brings fresh bread, butter and jam for small teams and large companies alike.",
  ],
  [
    "Prices of our bread",
    "An organic sourdough bread costs £4.50. The office breakfast delivery costs £6 per person and day.",
  ],
  ["Prices of our bread", "Delivery is free for orders above £40."],
  ["About us", "Kornblume Bakery was founded in 1998 by Ada Korn in Leeds. Unlike Greggs we bake everything by hand."],
  [
    "How long does organic sourdough bread stay fresh?",
    "Organic sourdough bread stays fresh for five days in a paper bag.",
  ],
  ["Where do you deliver office breakfasts?", "We deliver office breakfasts in Leeds, Bradford and Wakefield."],
  [
    "Can I cancel my office breakfast delivery?",
    "Yes, you can cancel your office breakfast delivery until noon of the day before.",
  ],
);
const SHOP = passages(
  [
    "Electric cargo bikes for families",
    "Pedalwerk builds electric cargo bikes for families and small shops. Each cargo bike carries two children and 100 kg of shopping.",
  ],
  ["Cargo bike leasing", "Cargo bike leasing starts at £59 a month, with repairs included for three years."],
  ["Cargo bike Mula", "The electric cargo bike Mula has a range of 90 km and a motor of 85 Nm. It costs £3,490."],
  ["How long is the guarantee?", "The guarantee on electric cargo bikes is five years."],
  ["Test rides", "Test rides in Bristol can be booked online for any Saturday."],
);
const GARDEN = passages(
  [
    "Bio-Gemüsekisten aus Freiburg",
    "Die Gärtnerei Sonnenhof liefert jede Woche Bio-Gemüsekisten für Familien und für Büros in Freiburg.",
  ],
  ["Preise", "Eine Bio-Gemüsekiste kostet 24 € in der Woche. Die Lieferung ist in Freiburg kostenlos."],
  [
    "Wie oft wird die Gemüsekiste geliefert?",
    "Die Gemüsekiste wird jeden Donnerstag geliefert, auf Wunsch auch alle zwei Wochen.",
  ],
  ["Saisonales Gemüse", "Saisonales Gemüse wird bei uns ohne Pflanzenschutzmittel angebaut und von Hand geerntet."],
);

const about = (name: string, lang: string, ...keyphrases: string[]) => ({
  lang,
  brand: { name, aliases: [], domains: [] },
  keyphrases,
});

/** What a person says: does the text answer it? */
const SET: [ReturnType<typeof about>, SitePassage[], yes: string[], no: string[]][] = [
  [
    about("Kornblume Bakery", "en", "organic sourdough bread", "office breakfast delivery"),
    BAKERY,
    [
      "How much does organic sourdough bread cost?",
      "What does the office breakfast delivery cost per person?",
      "How long does organic sourdough bread stay fresh?",
      "Where are office breakfasts delivered?",
      "Can I cancel an office breakfast delivery?",
      "When was Kornblume Bakery founded?",
      "Who founded Kornblume Bakery?",
      "Which bakery delivers sourdough bread to offices in Leeds?",
      "What does Kornblume Bakery offer?",
      "Is delivery free for orders above £40?",
      "What is in the office breakfast delivery?",
      "How much does Kornblume Bakery charge for office breakfast delivery?",
    ],
    [
      "How much does a wedding cake cost?",
      "Does the bakery sell gluten-free croissants?",
      "How many calories has sourdough bread?",
      "Which university teaches baking?",
      "When do you open on Sundays?",
      "What is the best pizza dough recipe?",
      "How long does a wedding cake take?",
      "Is there parking at the shop?",
      "Which wine goes with cheese?",
      "How much do your bakers earn?",
      "Can I buy shares of the company?",
      "Where is the nearest car wash?",
    ],
  ],
  [
    about("Pedalwerk", "en", "electric cargo bikes", "cargo bike leasing"),
    SHOP,
    [
      "How much does cargo bike leasing cost?",
      "How much does the cargo bike Mula cost?",
      "What is the range of the electric cargo bike Mula?",
      "How long is the guarantee on electric cargo bikes?",
      "Which company builds electric cargo bikes for families?",
      "How many children can a cargo bike carry?",
      "Are repairs included in cargo bike leasing?",
      "Where can I book test rides?",
      "What does Pedalwerk offer?",
      "How much should I expect to pay for cargo bike leasing?",
    ],
    [
      "How much does a bike helmet cost?",
      "How long does the battery take to charge?",
      "Which insurance covers stolen bikes?",
      "Do you ship to Norway?",
      "How much does a trailer for dogs cost?",
      "What colour choices are there?",
      "Can I pay with cryptocurrency?",
      "Which tyre pressure is right?",
      "Where can I park a motor boat?",
      "How do I repair a puncture?",
      "Are there discounts for students?",
      "What is the top speed of a scooter?",
    ],
  ],
  [
    about("Gärtnerei Sonnenhof", "de", "Bio-Gemüsekisten", "Saisonales Gemüse"),
    GARDEN,
    [
      "Was kostet eine Bio-Gemüsekiste?",
      "Wie oft wird die Gemüsekiste geliefert?",
      "Welche Anbieter liefern Bio-Gemüsekisten in Freiburg?",
      "Ist die Lieferung in Freiburg kostenlos?",
      "Was bietet die Gärtnerei Sonnenhof an?",
      "Wie wird saisonales Gemüse angebaut?",
    ],
    [
      "Was kostet ein Blumenstrauß?",
      "Wann öffnet der Hofladen?",
      "Welche Obstbäume wachsen im Schatten?",
      "Wie lange hält ein Kürbis?",
      "Wo kann ich Dünger bestellen?",
      "Gibt es Gutscheine?",
      "Wie heißt der Bürgermeister?",
      "Was kostet ein Rasenmäher?",
    ],
  ],
];

test("answers that are called answered are, on 60 labelled questions", () => {
  const seen = { right: 0, wrong: [] as string[], missed: [] as string[], all: 0 };
  for (const [site, texts, yes, no] of SET) {
    const prompts = [...yes, ...no].map(
      (text, i): Prompt => ({
        id: `p${i}`,
        text,
        intent: "fact",
        branded: false,
        lang: site.lang,
        origin: "user",
        basis: [],
      }),
    );
    const coverage = coverageOf(prompts, texts, site);
    for (const [i, { text }] of prompts.entries()) {
      const { verdict } = coverage[i] as Coverage;
      const answerable = i < yes.length;
      seen.all++;
      if (verdict === "answered" && answerable) seen.right++;
      else if (verdict === "answered") seen.wrong.push(text);
      else if (answerable) seen.missed.push(`${verdict}: ${text}`);
    }
  }
  const precision = seen.right / (seen.right + seen.wrong.length);
  const recall = seen.right / (seen.right + seen.missed.length);
  assert.ok(seen.all >= 60, String(seen.all));
  assert.ok(precision >= 0.8 && recall >= 0.7, JSON.stringify({ precision, recall, ...seen }, null, 1));
});
