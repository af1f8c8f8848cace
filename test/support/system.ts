// Programs of the system that npm does not bring. Tests that need one run with TEST_SYSTEM=1 alone; otherwise the runner lists
// them at its end, so that nobody takes a skipped test for a passed one.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian keeps servers here, and no user has it on PATH. */
const MORE_PLACES = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"];

/** Where the program is; undefined without TEST_SYSTEM=1, and where it is not installed. */
export function systemProgram(name: string): string | undefined {
  const { PATH = "", TEST_SYSTEM } = process.env;
  if (TEST_SYSTEM !== "1") return undefined;
  return [...PATH.split(delimiter), ...MORE_PLACES].map((place) => join(place, name)).find((file) => existsSync(file));
}

/** For a test's `skip`: why it cannot run, or false. */
export function skipWithout(name: string): string | false {
  if (systemProgram(name) !== undefined) return false;
  const why = process.env["TEST_SYSTEM"] === "1" ? "is not installed" : "is hidden without TEST_SYSTEM=1";
  // The runner looks for this line: Bun reports a skipped test without its reason.
  console.log(`skipped for want of: ${name} ${why}`);
  return `${name} ${why}`;
}
