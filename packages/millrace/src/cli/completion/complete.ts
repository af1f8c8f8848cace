import type { CommandEntry } from "../entry.ts";
import { say } from "../output/show.ts";
import { candidates } from "./candidates.ts";

/**
 * Answers the completion scripts: `millrace __complete <shell> <words…>`. Prints a line for each candidate, with its
 * description behind a tab, and `:files` where file names fit.
 */
export async function complete(
  [shell = "", ...words]: readonly string[],
  known: () => Promise<readonly CommandEntry[]>,
): Promise<void> {
  const { typed, isSplit } = shell === "bash" ? joined(words) : { typed: words, isSplit: false };
  const { values, files } = await candidates(typed, await known());
  const lines = values.map(({ value, about = "" }) => {
    const shown = isSplit ? value.slice(value.indexOf("=") + 1) : value;
    return about === "" ? shown : `${shown}\t${about.replaceAll(/\s+/g, " ")}`;
  });
  if (files) lines.push(":files");
  if (lines.length > 0) say(lines.join("\n"));
}

/** Bash splits `--status=failed` in three, and wants only the part behind the equals sign. */
function joined(words: readonly string[]): { typed: string[]; isSplit: boolean } {
  const typed: string[] = [];
  let isSplit = false;
  for (const [at, word] of words.entries()) {
    const isAfter = words[at - 1] === "=" && at > 1;
    isSplit = word === "=" || isAfter;
    if (isSplit && typed.length > 0) typed.push(`${typed.pop()}${word}`);
    else typed.push(word);
  }
  return { typed, isSplit };
}
