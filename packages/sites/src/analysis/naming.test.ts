import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brandMatcher } from "./matcher.ts";
import { type Naming, namingOf, sentenceAround } from "./naming.ts";

const matches = brandMatcher({ name: "Acme", aliases: [], domains: [] });

const LABELLED: Record<Naming, readonly string[]> = {
  recommended: [
    "For two children I recommend Acme.",
    "Acme is the best choice for families.",
    "My top pick: Acme, for its leasing.",
    "I'd go with Acme here.",
    "1. **Acme** stands out for its repairs.",
    "Acme is a solid option if you have little room.",
    "I would choose Acme over the others.",
    "If price matters, Acme is worth a look.",
    "Für Familien empfehle ich Acme.",
    "Acme ist die beste Wahl für den Einstieg.",
  ],
  compared: [
    "Acme is cheaper than Rival.",
    "Compared to Acme, Rival is heavier.",
    "Rival vs. Acme: both fold.",
    "Unlike Acme, Rival has no shop here.",
    "Rival is the best known alternative to Acme.",
    "Acme ist im Vergleich zu Rival leichter.",
    "Acme has more dealers in town than Rival.",
  ],
  listed: [
    "1. Acme",
    "- **Acme**: bikes with leasing.",
    "| Acme | £3,490 |",
    "## Acme\nIt is from Bristol.",
    "3) Acme, Bristol",
  ],
  passing: [
    "There are shops such as Acme in Bristol.",
    "Acme was founded in 1998.",
    "I do not recommend Acme.",
    "I wouldn't recommend Acme for rain.",
    "Acme is not a good choice for hills.",
    "I cannot recommend any shop; Acme is one of them.",
    "Acme empfehle ich nicht.",
    "アクメ Acme は自転車を作ります。",
  ],
};

describe("how an answer names a brand", () => {
  for (const [naming, sentences] of Object.entries(LABELLED)) {
    test(naming, () => {
      for (const text of sentences) assert.equal(namingOf(text, matches(text)), naming, text);
    });
  }

  test("a quote is the whole sentence, from its first letter to its last sign", () => {
    for (const [text, sentence] of [
      ["Acme is one.", "Acme is one."],
      ["Pick Acme", "Pick Acme"],
      ["Others exist. Is Acme good? Yes.", "Is Acme good?"],
      ["Bikes:\n- **Acme**: light\n- Rival", "- Acme : light"],
      ["安い。Acme です。次", "Acme です。"],
    ] as const) {
      const [mention] = matches(text);
      assert.ok(mention);
      assert.equal(sentenceAround(text, mention), sentence);
    }
  });

  test("of several places the most telling counts, and only the sentence it stands in", () => {
    const text = "1. Acme\n2. Rival\n\nFor hills I recommend Acme. Rival is cheaper than others.";
    assert.equal(namingOf(text, matches(text)), "recommended");
    const other = "Acme is from Bristol. I recommend Rival.";
    assert.equal(namingOf(other, matches(other)), "passing");
    assert.equal(namingOf("Nobody is named.", matches("Nobody is named.")), null);
  });
});
