import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { cliReference } from "../../../../../scripts/cli-reference.js";
import { COMMANDS } from "../commands.ts";
import { commandHelp, defineCommand, parse, UsageError } from "./command.ts";

const command = defineCommand({
  args: ["<id>", "[other...]"],
  flags: {
    limit: { type: "string", value: "<n>", doc: "at most" },
    tag: { type: "string", multiple: true, doc: "several" },
    watch: { type: "boolean", short: "w", doc: "go on" },
  },
  examples: ["thing a"],
  run: async () => 0,
});

describe("a command line", () => {
  test("is taken apart into arguments and flags", () => {
    assert.deepEqual(parse(command, ["a", "-w", "b", "--tag", "x", "--limit=3", "--tag=y"]), {
      args: ["a", "b"],
      flags: { watch: true, tag: ["x", "y"], limit: "3" },
    });
    assert.deepEqual(parse(command, ["a", "--help"]), { help: true });
    assert.deepEqual(parse(command, ["--", "-w"]), { args: ["-w"], flags: {} });
  });

  test("may have negative numbers as values", () => {
    assert.partialDeepStrictEqual(parse(command, ["a", "--limit", "-3"]), { flags: { limit: "-3" } });
  });

  test("names a server by --url or --server, whichever the command has", () => {
    const flags = { url: { type: "string", doc: "where" } } as const;
    const remote = defineCommand({ args: ["[text...]"], flags, examples: [], run: async () => 0 });
    assert.partialDeepStrictEqual(parse(remote, ["--server", "http://a"]), { flags: { url: "http://a" } });
    assert.partialDeepStrictEqual(parse(remote, ["--server=http://a"]), { flags: { url: "http://a" } });
    assert.deepEqual(parse(remote, ["--", "--server"]), { args: ["--server"], flags: {} });
    const local = defineCommand({ flags: { server: flags.url }, examples: [], run: async () => 0 });
    assert.partialDeepStrictEqual(parse(local, ["--url", "http://a"]), { flags: { server: "http://a" } });
    assert.throws(() => parse(command, ["a", "--server", "http://a"]), /--server/);
  });

  test("with what is unknown, missing or too much is refused", () => {
    const single = defineCommand({ args: ["<id>"], flags: {}, examples: [], run: async () => 0 });
    assert.throws(() => parse(command, []), new UsageError("The argument <id> is missing."));
    assert.throws(() => parse(single, ["a", "b"]), new UsageError('Unexpected argument "b".'));
    const refused = (argv: string[], message: string) =>
      assert.throws(() => parse(command, argv), new UsageError(message), argv.join(" "));
    refused(["a", "--lmit", "3"], 'Unknown flag --lmit. Did you mean "--limit"?');
    refused(["a", "--Watch"], 'Unknown flag --Watch. Did you mean "--watch"?');
    refused(["a", "--colour"], "Unknown flag --colour.");
    refused(["a", "--constructor"], "Unknown flag --constructor.");
    refused(["a", "-x"], "Unknown flag -x.");
    refused(["a", "--limit"], "--limit needs a value: --limit <n>.");
    refused(["a", "--limit", "--watch"], "--limit needs a value: --limit <n>.");
    refused(["a", "--watch=yes"], "--watch takes no value.");
  });
});

describe("the commands", () => {
  test("are described in docs/reference/cli.md as they are", async () => {
    const page = readFileSync(new URL("../../../../../docs/reference/cli.md", import.meta.url), "utf8");
    assert.equal(page, await cliReference(), "run: node scripts/cli-reference.js");
  });

  test("all have help with an example that they themselves accept", async () => {
    for (const { name, summary, load } of COMMANDS) {
      const loaded = (await load()).command;
      const text = commandHelp(name, summary, loaded);
      assert.match(text, new RegExp(`Usage: millrace ${name}`));
      assert.ok(loaded.examples.length > 0, name);
      for (const example of loaded.examples) {
        assert.ok(example.startsWith(name), example);
        assert.doesNotThrow(() => parse(loaded, words(example.slice(name.length))), example);
      }
      for (const line of text.split("\n")) assert.ok(line.length <= 120, line);
    }
  });
});

/** As a shell would, as far as our examples go. */
function words(text: string): string[] {
  const found = text.replace(/ <.*$/, "").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g);
  return [...found].map(([, single, double, plain]) => single ?? double ?? plain ?? "");
}
