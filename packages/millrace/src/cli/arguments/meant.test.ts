import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS } from "../commands.ts";
import { commandsMeant, didYouMean, flagMeant } from "./meant.ts";

const NAMES = COMMANDS.map(({ name }) => name);

describe("a mistyped name", () => {
  const commands: [typed: string, meant: string[]][] = [
    ["srve", ["serve"]],
    ["sreve", ["serve"]],
    ["job list", ["jobs list"]],
    ["jobs lsit", ["jobs list"]],
    ["jbos", ["jobs"]],
    ["retry", ["jobs retry"]],
    ["enqueue", ["submit"]],
    ["jobs delete", ["jobs forget"]],
    ["list", ["jobs list", "dlq list", "schedules list"]],
    ["JOBS LIST", ["jobs list"]],
    ["x", []],
    ["frobnicate", []],
    ["constructor", []],
  ];
  for (const [typed, meant] of commands) {
    test(`"${typed}" ${meant.length > 0 ? `may mean ${meant.join(", ")}` : "resembles no command"}`, () => {
      assert.deepEqual(commandsMeant(typed, NAMES), meant);
    });
  }

  test("of a flag is compared without its case and its underscores", () => {
    const known = ["port", "max-retries", "dry-run", "timeout", "no-pools"];
    assert.equal(flagMeant("prot", known), "port");
    assert.equal(flagMeant("dry_run", known), "dry-run");
    assert.equal(flagMeant("dryrun", known), "dry-run");
    assert.equal(flagMeant("retries", known), "max-retries");
    assert.equal(flagMeant("timeout-ms", known), "timeout");
    assert.equal(flagMeant("colour", known), undefined);
  });

  test("is answered with up to three suggestions in one sentence", () => {
    assert.equal(didYouMean([]), "");
    assert.equal(didYouMean(["a"]), ' Did you mean "a"?');
    assert.equal(didYouMean(["a", "b", "c"]), ' Did you mean "a", "b" or "c"?');
  });
});
