// Who is named, and how, by rules alone: sentences in ten languages, labelled by hand. The rules were written against the first sets
// and have not seen the last.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brandMatcher } from "../src/analysis/matcher.ts";
import { stanceOf } from "../src/analysis/verdict/stance.ts";
import { LABELLED, type LabelledSentence } from "./support/labelled/all.ts";
import { HELD_OUT } from "./support/labelled/held-out.ts";

function judged({ lang, brand, text }: LabelledSentence): LabelledSentence["label"] {
  const mentions = brandMatcher({ name: brand, aliases: [], domains: [] }, lang)(text);
  return stanceOf(text, mentions) ?? "absent";
}

function figuresOf(set: readonly LabelledSentence[], isWanted: (label: LabelledSentence["label"]) => boolean) {
  const rows = set.map((sentence) => ({
    sentence,
    wanted: isWanted(sentence.label),
    got: isWanted(judged(sentence)),
  }));
  const both = rows.filter(({ wanted, got }) => wanted && got).length;
  const wrong = rows
    .filter(({ wanted, got }) => wanted !== got)
    .map(({ sentence }) => `${sentence.lang}: ${sentence.text}`);
  return {
    precision: both / rows.filter(({ got }) => got).length,
    recall: both / rows.filter(({ wanted }) => wanted).length,
    wrong,
  };
}

describe("labelled sentences", () => {
  test("are at least 200, in at least eight languages", () => {
    assert.ok(LABELLED.length >= 200, String(LABELLED.length));
    assert.ok(new Set(LABELLED.map(({ lang }) => lang)).size >= 8);
  });

  const CASES: [string, (label: LabelledSentence["label"]) => boolean][] = [
    ["a mention", (label) => label !== "absent"],
    ["a recommendation", (label) => label === "recommended"],
    ["a warning", (label) => label === "warned"],
    ["a brand that the model does not know", (label) => label === "unknown"],
  ];
  for (const [name, isWanted] of CASES) {
    test(`${name} is found with precision and recall of at least 0.92`, () => {
      const { precision, recall, wrong } = figuresOf(LABELLED, isWanted);
      const said = `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}\n${wrong.join("\n")}`;
      assert.ok(precision >= 0.92 && recall >= 0.92, said);
    });
  }
});

describe("labelled sentences that no rule is tuned to", () => {
  test("a mention is found with precision and recall of at least 0.92", () => {
    const { precision, recall, wrong } = figuresOf(HELD_OUT, (label) => label !== "absent");
    assert.ok(precision >= 0.92 && recall >= 0.92, `${precision} ${recall}\n${wrong.join("\n")}`);
  });

  test("nine of ten are judged right, and praise is never taken for a warning", () => {
    const rows = HELD_OUT.map((sentence) => ({ ...sentence, got: judged(sentence) }));
    const right = rows.filter(({ label, got }) => label === got);
    assert.ok(right.length >= rows.length * 0.9, `${right.length} of ${rows.length}`);
    const turned = rows.filter(
      ({ label, got }) =>
        (label === "recommended" && got === "warned") || (label === "warned" && got === "recommended"),
    );
    assert.deepEqual(turned, []);
  });
});
