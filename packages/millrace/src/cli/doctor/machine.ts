import { runtimeProblem, SUPPORTED } from "../../lib/runtime/runtimes.ts";
import { inspectSqlite } from "../../store/sqlite/connection/examine.ts";
import { duration } from "../output/format.ts";
import { pause } from "../pause.ts";
import { runtimeName } from "../until-stopped.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export function runtimeFinding(): Finding {
  const text = `${runtimeName()} on ${process.platform} ${process.arch}`;
  const { node, bun } = process.versions as { node: string; bun?: string };
  return runtimeProblem({ node, bun }) === undefined
    ? ok("runtime", text)
    : fail("runtime", text, `Install ${SUPPORTED}.`);
}

export function sqliteFinding(): Finding {
  const { version, needed, sound } = inspectSqlite();
  if (sound) return ok("SQLite", version);
  return fail("SQLite", `${version} can corrupt a shared file`, `Use a newer Bun or Node: SQLite ${needed} is needed.`);
}

const SAMPLE_MS = 250;
const MOST_DRIFT_MS = 50;

/** Findings about the year, and whether wall time runs as fast as monotonic time. */
export async function clockFinding(
  now: () => number = Date.now,
  monotonic = () => performance.now(),
): Promise<Finding> {
  const at = new Date(now());
  const year = at.getUTCFullYear();
  if (year < 2025 || year > 2100) return fail("clock", at.toISOString(), "Set the machine's clock.");
  const before = now() - monotonic();
  await pause(SAMPLE_MS);
  const drift = Math.abs(now() - monotonic() - before);
  if (drift > MOST_DRIFT_MS) {
    return warn(
      "clock",
      `the clock jumped by ${duration(drift)} within ${SAMPLE_MS}ms`,
      "A program sets the clock. Use one time service that adjusts it gradually (slewing).",
    );
  }
  return ok("clock", at.toISOString());
}
