// Coverage in twelve languages: six questions of each language's templates, on a text that plainly answers all of them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { coverageOf } from "../src/analysis/coverage.ts";
import type { Prompt } from "../src/api/shapes.ts";
import { TEMPLATES } from "../src/prompts/templates/templates.ts";

/** What is sold, a text that answers, and the same things said of something else. */
interface Sample {
  readonly what: string;
  readonly answers: readonly string[];
  /** Speaks of the offer and answers nothing. */
  readonly idle: string;
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  en: {
    what: "sourdough bread",
    answers: [
      "We at Kornblume bake sourdough bread and bring it to your door.",
      "A sourdough bread costs £4.50.",
      "Order sourdough bread online until ten in the evening.",
      "When you choose sourdough bread, check the list of flours and avoid added yeast.",
      "Unlike bread from the supermarket, our sourdough bread rests for a day.",
    ],
    idle: "Sourdough bread is old.",
  },
  de: {
    what: "Sauerteigbrot",
    answers: [
      "Wir von Kornblume backen Sauerteigbrot und bringen es nach Hause.",
      "Ein Sauerteigbrot kostet 4,50 €.",
      "Sauerteigbrot kann man bei uns online bestellen.",
      "Bei Sauerteigbrot sollte man auf das Mehl achten und Hefe vermeiden.",
      "Anders als im Supermarkt ruht unser Sauerteigbrot einen Tag.",
    ],
    idle: "Sauerteigbrot ist alt.",
  },
  fr: {
    what: "pain au levain",
    answers: [
      "Nous, chez Kornblume, préparons du pain au levain et le livrons chez vous.",
      "Un pain au levain coûte 4,50 €.",
      "Le pain au levain se commande en ligne jusqu'à 22 heures.",
      "Pour choisir un pain au levain, il faut vérifier la farine et éviter la levure.",
      "Contrairement au supermarché, notre pain au levain repose un jour.",
    ],
    idle: "Le pain au levain est ancien.",
  },
  es: {
    what: "pan de masa madre",
    answers: [
      "Nosotros, en Kornblume, hacemos pan de masa madre y lo llevamos a casa.",
      "Un pan de masa madre cuesta 4,50 €.",
      "El pan de masa madre se puede comprar en línea hasta las diez.",
      "Al elegir pan de masa madre conviene mirar la harina y evitar la levadura.",
      "A diferencia del supermercado, nuestro pan de masa madre reposa un día.",
    ],
    idle: "El pan de masa madre es antiguo.",
  },
  it: {
    what: "pane a lievitazione naturale",
    answers: [
      "Noi di Kornblume prepariamo pane a lievitazione naturale e lo portiamo a casa.",
      "Un pane a lievitazione naturale costa 4,50 €.",
      "Il pane a lievitazione naturale si può ordinare online fino alle dieci.",
      "Per il pane a lievitazione naturale bisogna controllare la farina ed evitare il lievito.",
      "A differenza del supermercato, il nostro pane a lievitazione naturale riposa un giorno.",
    ],
    idle: "Il pane a lievitazione naturale è antico.",
  },
  pt: {
    what: "pão de fermentação natural",
    answers: [
      "Na Kornblume, o nosso pão de fermentação natural chega a casa.",
      "Um pão de fermentação natural custa 4,50 €.",
      "O pão de fermentação natural pode ser comprado na loja online.",
      "No pão de fermentação natural convém ver a farinha, sem aditivos.",
      "Ao contrário do supermercado, o pão de fermentação natural repousa um dia.",
    ],
    idle: "O pão de fermentação natural é antigo.",
  },
  nl: {
    what: "zuurdesembrood",
    answers: [
      "Wij van Kornblume bakken zuurdesembrood en brengen het thuis.",
      "Een zuurdesembrood kost € 4,50.",
      "Zuurdesembrood kun je online bestellen tot tien uur.",
      "Let op het meel bij zuurdesembrood en vermijd gist.",
      "In tegenstelling tot de supermarkt rust ons zuurdesembrood een dag.",
    ],
    idle: "Zuurdesembrood is oud.",
  },
  sv: {
    what: "surdegsbröd",
    answers: [
      "Vi på Kornblume bakar surdegsbröd och kör hem det.",
      "Ett surdegsbröd kostar 45 kr.",
      "Surdegsbröd kan beställas på nätet till klockan tio.",
      "Kontrollera mjölet när du väljer surdegsbröd och undvik jäst.",
      "Till skillnad från butiken vilar vårt surdegsbröd ett dygn.",
    ],
    idle: "Surdegsbröd är gammalt.",
  },
  pl: {
    what: "chleb na zakwasie",
    answers: [
      "Nasza piekarnia Kornblume piecze chleb na zakwasie i przywozi go do domu.",
      "Jeden chleb na zakwasie kosztuje 14 zł.",
      "Chleb na zakwasie można zamówić w sklepie internetowym.",
      "Wybierając chleb na zakwasie, należy sprawdzić mąkę i unikać drożdży.",
      "W przeciwieństwie do supermarketu nasz chleb na zakwasie odpoczywa dobę.",
    ],
    idle: "Chleb na zakwasie jest stary.",
  },
  ru: {
    what: "хлеб на закваске",
    answers: [
      "Мы в Kornblume печём хлеб на закваске и привозим его домой.",
      "Один хлеб на закваске стоит 4,50 €.",
      "Хлеб на закваске можно заказать на сайте с доставкой.",
      "Выбирая хлеб на закваске, следует проверить муку и избегать дрожжей.",
      "В отличие от супермаркета наш хлеб на закваске отдыхает сутки.",
    ],
    idle: "Хлеб на закваске старый.",
  },
  ja: {
    what: "天然酵母パン",
    answers: [
      "当店Kornblumeは天然酵母パンを焼き、ご自宅へお届けします。",
      "天然酵母パンは一つ450円です。",
      "天然酵母パンはオンラインで注文できます。",
      "天然酵母パンを選ぶときは小麦粉に注意し、添加物を避けてください。",
      "当店の天然酵母パンはスーパーのものより長く休ませます。",
    ],
    idle: "天然酵母パンは古い。",
  },
  ar: {
    what: "خبز العجين المخمر",
    answers: [
      "نحن في Kornblume نخبز خبز العجين المخمر ونوصله إلى المنزل.",
      "سعر خبز العجين المخمر 4 USD.",
      "يمكن طلب خبز العجين المخمر من متجر الموقع.",
      "عند اختيار خبز العجين المخمر يجب فحص الدقيق و تجنب الخميرة.",
      "على عكس خبز السوبرماركت يرتاح خبز العجين المخمر يوما.",
    ],
    idle: "خبز العجين المخمر قديم.",
  },
};

/** Six questions of a language: the first of each intent that needs no rival, and the second of those about buying. */
function questionsOf(lang: string, what: string): Prompt[] {
  const fitting = (TEMPLATES[lang] ?? []).filter(({ gaps }) => gaps.every((gap) => gap === "what" || gap === "brand"));
  const ofIntent = (intent: string) => fitting.filter((template) => template.intent === intent);
  const chosen = ["category", "purchase", "comparison", "problem", "fact"].flatMap((intent) =>
    ofIntent(intent).slice(0, 1),
  );
  const order = fitting.find(({ goods }) => goods);
  return [...chosen, ...(order ? [order] : [])].map(({ text, intent }, i) => ({
    id: `p${i}`,
    text: text.replace(/\{[Ww]hat\}/g, what).replaceAll("{brand}", "Kornblume"),
    intent,
    branded: false,
    lang,
    origin: "template",
    basis: [],
  }));
}

const about = (lang: string, what: string) => ({
  lang,
  brand: { name: "Kornblume", aliases: [], domains: [] },
  keyphrases: [what],
});
const passages = (texts: readonly string[]) =>
  texts.map((text) => ({ url: "https://kornblume.example/", heading: "", text }));

describe("a text that plainly answers", () => {
  assert.equal(Object.keys(SAMPLES).length, 12);
  for (const [lang, { what, answers, idle }] of Object.entries(SAMPLES)) {
    test(`${lang}: at least five of six questions are answered by it, and at most one without it`, () => {
      const questions = questionsOf(lang, what);
      assert.equal(questions.length, 6);
      const found = coverageOf(questions, passages(answers), about(lang, what));
      const open = questions.filter((_, i) => found[i]?.verdict !== "answered").map(({ text }) => text);
      assert.ok(open.length <= 1, `open: ${open.join(" | ")}`);
      const without = coverageOf(questions, passages([idle]), about(lang, what));
      const answered = questions.filter((_, i) => without[i]?.verdict === "answered").map(({ text }) => text);
      assert.ok(answered.length <= 1, `answered: ${answered.join(" | ")}`);
    });
  }
});
