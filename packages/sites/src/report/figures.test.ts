// What the figures of a report count, with models whose answers are known.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isRefusal } from "../analysis/verdict/refusals.ts";
import type { Report } from "../api/report.ts";
import type { Answer, Brand, Prompt, SiteProfile } from "../api/shapes.ts";
import { compareReports } from "../http/compare.ts";
import { buildReport } from "./build.ts";
import { withRivals } from "./rebuild.ts";

const TERN: Brand = { name: "Tern", aliases: [], domains: ["tern.example"] };
const PROFILE = {
  site: { requested: "", final: "https://pedalwerk.example/", domain: "pedalwerk.example", lang: "en", fetchedAt: "" },
  pages: [],
  brand: { name: "Pedalwerk", aliases: [], domains: ["pedalwerk.example"], from: "user", confidence: "high" },
  offer: { summary: [], categories: [], keyphrases: [], audiences: [], places: [], prices: [] },
  rivalsNamed: [],
  readiness: [],
  tech: [],
  hiddenText: [],
  coverage: { fetched: 1, skipped: [], truncated: false },
} as unknown as SiteProfile;

const UNBRANDED = [
  "Which cargo bike carries two children?",
  "Who repairs cargo bikes?",
  "What are alternatives to Tern?",
];
const BRANDED = "Is Pedalwerk any good?";

interface Asked {
  readonly rivals?: Brand[];
  readonly unbranded?: readonly string[];
  readonly models?: readonly string[];
  readonly searched?: (ref: string, sample: number) => boolean;
}

function reportOf(
  say: (prompt: string, sample: number, ref: string) => string,
  { rivals = [], unbranded = UNBRANDED, models = ["server/x"], searched = () => false }: Asked = {},
): Report {
  const prompts = [...unbranded, BRANDED].map(
    (text, i): Prompt => ({
      id: `p${i + 1}`,
      text,
      intent: "category",
      branded: text === BRANDED,
      lang: "en",
      origin: "user",
      basis: [],
    }),
  );
  const answers = prompts.flatMap(({ id, text }) =>
    models.flatMap((ref) =>
      [1, 2].map(
        (sample): Answer => ({
          callKey: `${ref}-${id}-${sample}`,
          promptId: id,
          model: { ref },
          sample,
          mode: "model",
          grounded: searched(ref, sample),
          status: "ok",
          text: say(text, sample, ref),
          sources: [],
          costUsd: 0,
          ms: 1,
          attempts: 1,
        }),
      ),
    ),
  );
  return buildReport({
    jobId: "job_1",
    createdAt: "2026-01-01T00:00:00.000Z",
    profile: PROFILE,
    prompts: { hash: "h", prompts, rivals, rejected: [], shortfalls: [] },
    models: [...models],
    samples: 2,
    parameters: {},
    callContract: 1,
    answers,
    coverage: [],
    perhapsTwice: 0,
    notes: [],
  });
}

const kpi = (report: Report, id: string) => {
  const figure = report.kpis.find((each) => each.id === id);
  return figure && [figure.k, figure.n];
};

describe("figures", () => {
  test("a model that never heard of the brand does not name it", () => {
    const report = reportOf((prompt) =>
      prompt === BRANDED ? "I'm not familiar with Pedalwerk." : "Tern and Urban Arrow are common.",
    );
    assert.deepEqual(kpi(report, "mention-rate"), [0, 6]);
    assert.deepEqual([report.known?.k, report.known?.n], [0, 2]);
    assert.equal(report.position, null);
    assert.deepEqual(
      report.answers.slice(-2).map(({ verdict }) => verdict),
      ["unknown", "unknown"],
    );
    assert.match(report.headline, /Asked about Pedalwerk by name, models know it in 0 of 2 answers/);
  });

  test("a warning and a recommendation have different headlines", () => {
    const praised = reportOf(() => "I recommend Pedalwerk.");
    const warned = reportOf(() => "Avoid Pedalwerk.");
    assert.match(praised.headline, /is named in 6 of 6 answers of 1 model .*, recommended in 6 of them/);
    assert.match(warned.headline, /is named in 6 of 6 answers of 1 model .*, advised against in 6 of them/);
    assert.deepEqual(
      [kpi(praised, "recommended-rate"), kpi(warned, "recommended-rate")],
      [
        [6, 6],
        [0, 6],
      ],
    );
  });

  test("there is no share of voice without rivals, and a prompt that names a rival does not count for it", () => {
    const say = (prompt: string, sample: number) => (sample === 1 ? "Tern or Pedalwerk." : `${prompt} Tern.`);
    assert.equal(kpi(reportOf(say), "share-of-voice"), undefined);
    const report = reportOf(say, { rivals: [TERN] });
    const tern = report.brands.find(({ id }) => id === "Tern");
    assert.deepEqual([tern?.mention.k, tern?.mention.n], [4, 4], "without the prompt about alternatives to Tern");
    assert.deepEqual(kpi(report, "share-of-voice"), [3, 7]);
  });

  test("companies that answers name are discovered, and become rivals without a call", () => {
    const list = (_: string, sample: number) =>
      sample === 1
        ? "Good makers:\n1. **Riese & Müller** – sturdy\n2. **Urban Arrow** – Dutch\n3. **Price** – check it"
        : "Consider makers such as Riese und Mueller, Urban Arrow and Pedalwerk.";
    const report = reportOf(list);
    assert.deepEqual(
      report.rivalsDiscovered?.map(({ name, answers, prompts }) => [name, answers, prompts]).sort(),
      [
        ["Riese & Müller", 6, 3],
        ["Urban Arrow", 6, 3],
      ],
      "not the heading about prices",
    );
    const again = withRivals(report, [{ name: "Urban Arrow", aliases: [], domains: [] }]);
    assert.deepEqual(kpi(again, "share-of-voice"), [3, 9]);
    assert.deepEqual(
      again.rivalsDiscovered?.map(({ name }) => name),
      ["Riese & Müller"],
    );
    assert.deepEqual(again.cost, report.cost);
  });

  test("cited pages: bare addresses, parentheses and shared hosts, each with its place", () => {
    const report = reportOf(
      () =>
        "See www.pedalwerk.example/mula, https://en.wikipedia.org/wiki/Cargo_(bike) and (https://alice.github.io/x). Booking.com is big.",
    );
    assert.deepEqual(
      report.findings[0]?.citations.map(({ url, domain, class: whose, position }) => [url, domain, whose, position]),
      [
        ["https://www.pedalwerk.example/mula", "pedalwerk.example", "own", 1],
        ["https://en.wikipedia.org/wiki/Cargo_(bike)", "wikipedia.org", "other", 2],
        ["https://alice.github.io/x", "alice.github.io", "other", 3],
      ],
    );
  });
});

describe("answers that searched and answers from memory", () => {
  test("never count in one comparison", () => {
    const memory = reportOf(() => "I recommend Tern.");
    const search = reportOf(() => "I recommend Pedalwerk.", { searched: () => true });
    const apart = compareReports(memory, search);
    assert.equal(apart.comparable, false);
    assert.deepEqual(apart.changes, []);
    assert.match(apart.reasons.join(), /searched the web/);

    // Only what came from memory changed.
    const unbranded = Array.from({ length: 12 }, (_, i) => `Which cargo bike number ${i} would you buy?`);
    const half = { unbranded, searched: (_: string, sample: number) => sample === 1 };
    const before = reportOf(() => "I recommend Tern.", half);
    const after = reportOf((_, sample) => `I recommend ${sample === 1 ? "Tern" : "Pedalwerk"}.`, half);
    const rate = compareReports(before, after).changes.find(({ id }) => id === "mention-rate");
    assert.deepEqual([rate?.difference, rate?.beyondChance], [0, false]);
  });

  test("a model that never searched has a row of its own answers, and the headline counts the others", () => {
    const report = reportOf(
      (_, _sample, ref) => (ref === "server/x" ? "I recommend Tern." : "I recommend Pedalwerk."),
      {
        models: ["server/x", "server/y"],
        searched: (ref) => ref === "server/x",
      },
    );
    assert.deepEqual(
      report.byModel.map(({ mention }) => [mention?.label, mention?.k, mention?.n]),
      [
        ["server/x", 0, 6],
        ["server/y, from memory", 6, 6],
      ],
    );
    assert.deepEqual(kpi(report, "mention-rate"), [0, 6]);
    assert.match(report.headline, /of 1 model /);
  });
});

test("a refusal is one in every language of the templates", () => {
  const refusals = [
    "I'm sorry, but I can't help with that.",
    "Es tut mir leid, aber dabei kann ich nicht helfen.",
    "Das kann ich leider nicht beantworten: ich darf keine Empfehlung geben.".replace(
      "Das kann ich leider",
      "Leider kann ich das",
    ),
    "Désolé, je ne peux pas vous aider.",
    "Lo siento, no puedo ayudar con eso.",
    "Mi dispiace, ma non posso rispondere.",
    "Lamento, mas não posso ajudar.",
    "Het spijt me, maar ik kan hier niet bij helpen.",
    "Tyvärr kan jag inte hjälpa till med det.",
    "Beklager, men jeg kan ikke hjælpe med det.",
    "Valitettavasti en voi auttaa tässä.",
    "Przykro mi, ale nie mogę w tym pomóc.",
    "Je mi líto, ale s tím nemohu pomoci.",
    "Извините, я не могу помочь с этим.",
    "Вибачте, я не можу допомогти.",
    "Üzgünüm, bu konuda yardımcı olamam.",
    "عذرًا، لا أستطيع المساعدة في ذلك.",
    "申し訳ありませんが、お答えできません。",
    "抱歉，我无法回答这个问题。",
    "죄송하지만 도와드릴 수 없습니다.",
  ];
  for (const text of refusals) assert.equal(isRefusal(text), true, text);
  for (const text of [
    "I recommend Tern.",
    "Sorry for the delay: Tern is a good choice.",
    "Ich empfehle Tern.",
    "Je recommande Tern.",
    "Ternがおすすめです。",
    `I can't recommend one alone. ${"There are many good makers. ".repeat(20)}`,
  ])
    assert.equal(isRefusal(text), false, text);
});
