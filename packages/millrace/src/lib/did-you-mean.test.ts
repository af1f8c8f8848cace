import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nameMeant, unknownOption } from "./did-you-mean.ts";

describe("an unknown name", () => {
  const known = ["run", "processors", "timeoutMs", "retry", "delayMs", "baseUrl"];
  const meant: [name: string, known: string | undefined][] = [
    ["timeout", "timeoutMs"],
    ["procesors", "processors"],
    ["delay", "delayMs"],
    ["url", "baseUrl"],
    ["Retry", "retry"],
    ["retryOptions", "retry"],
    ["xyz", undefined],
    ["colour", undefined],
  ];
  for (const [name, expected] of meant) {
    test(`"${name}" ${expected ? `probably means "${expected}"` : "resembles none"}`, () => {
      assert.equal(nameMeant(name, known), expected);
    });
  }

  test("a word of another library is translated, where the option exists", () => {
    const synonyms = { concurrency: "processors", delay: "nowhere" };
    assert.equal(
      unknownOption("concurrency", 'kind "k"', known, synonyms),
      'Unknown option "concurrency" for kind "k". Did you mean "processors"?',
    );
    assert.match(unknownOption("delay", "a submission", known, synonyms), /"delayMs"\?$/);
    assert.equal(unknownOption("constructor", "x", [], synonyms), 'Unknown option "constructor" for x.');
  });
});
