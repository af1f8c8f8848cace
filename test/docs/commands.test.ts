// runtimes: node
// Commands of ours in the documentation exist, and have the flags they are given.

import assert from "node:assert/strict";
import { test } from "node:test";
import { diagrams } from "../../packages/diagrams/src/workload.ts";
import { parse, UsageError } from "../../packages/millrace/src/cli/arguments/command.ts";
import { COMMANDS } from "../../packages/millrace/src/cli/commands.ts";
import { sites } from "../../packages/sites/src/workload.ts";
import { blocksOf, documents, textOf } from "./support/blocks.ts";

const ENTRIES = [...COMMANDS, ...[diagrams, sites].flatMap(({ commands = [] }) => commands)];
const SHELL = ["sh", "yaml", "ini", "dockerfile", "nginx"];

test("every command line in the documentation is valid", async () => {
  const lines = documents().flatMap((document) => commandLines(document).map((line) => ({ document, line })));
  const problems: string[] = [];
  for (const { document, line } of lines) {
    const problem = await problemOf(line);
    if (problem !== undefined) problems.push(`${document}: millrace ${line}: ${problem}`);
  }
  assert.deepEqual(problems, []);
  assert.ok(lines.length > 50, "the command lines were found");
});

test("the check finds an unknown command and an unknown flag", async () => {
  assert.match((await problemOf("polish jobs")) ?? "", /unknown command/);
  assert.match((await problemOf("jobs list --colour red")) ?? "", /colour/);
  assert.equal(await problemOf("jobs list --status failed | head"), undefined);
});

/** What follows `millrace` in shell blocks and in inline code. */
function commandLines(document: string): string[] {
  const shell = blocksOf(document).flatMap(({ language, code }) => (SHELL.includes(language) ? code.split("\n") : []));
  const prose = textOf(document).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...shell, ...inline].flatMap((line) => {
    const command = /^(?:\S+=\S* )*(?:npx |bunx --bun |exec )?millrace (?:help )?([a-z].*)$/.exec(line.trim())?.[1];
    return command === undefined ? [] : [command];
  });
}

async function problemOf(line: string): Promise<string | undefined> {
  const words = wordsOf(line);
  const entry = ENTRIES.filter(({ name }) => name.split(" ").every((word, at) => words[at] === word)).sort(
    (a, b) => b.name.length - a.name.length,
  )[0];
  if (entry === undefined) return isGroup(words) ? undefined : "unknown command";
  const { command } = await entry.load();
  const given = words.slice(entry.name.split(" ").length);
  try {
    parse(command, given);
    return undefined;
  } catch (error) {
    // Prose names a command without its arguments.
    if (error instanceof UsageError && / is missing\.$/.test(error.message)) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

/** `millrace sites …` speaks of all commands of a group. */
function isGroup(words: readonly string[]): boolean {
  return ENTRIES.some(({ name }) => name.startsWith(`${words[0]} `)) && (words.length === 1 || words[1] === "…");
}

/** As a shell splits a line: quotes hold words together, a comment, a pipe or `&` ends the command. */
function wordsOf(line: string): string[] {
  const [command = ""] = line.split(/ #|\||&|;|>/);
  return [...command.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) => word.replaceAll(/^['"]|['"]$/g, ""));
}
