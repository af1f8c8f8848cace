import { loadConfig, readEnvironment } from "../../config.ts";
import { VERSION } from "../../lib/runtime/version.ts";
import { findingsOfAll } from "../../workload/compose.ts";
import { defineCommand } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit.ts";
import { PLACE } from "../arguments/flags.ts";
import { fileFindings } from "../doctor/file.ts";
import { type Finding, fail, ok, warn } from "../doctor/finding.ts";
import { clockFinding, runtimeFinding, sqliteFinding } from "../doctor/machine.ts";
import { postgresFindings } from "../doctor/postgres.ts";
import { serverFindings } from "../doctor/server.ts";
import { withFlags } from "../load.ts";
import { oneLine, plural } from "../output/format.ts";
import { paint, styleOf } from "../output/paint.ts";
import { say } from "../output/show.ts";
import { projectWorkloads } from "../workloads.ts";

export const command = defineCommand({
  flags: {
    db: PLACE.db,
    json: { type: "boolean", doc: "print JSON: { findings: [{ check, state, text, todo? }] }" },
  },
  about: "Changes nothing. Exit code 1 if a check fails.",
  examples: ["doctor", "doctor --db postgres://me@db.internal/jobs"],
  async run({ flags }) {
    const findings = await examine(flags.db);
    say(flags.json ? JSON.stringify({ findings }, null, 2) : drawn(findings));
    return findings.some(({ state }) => state === "fail") ? EXIT.failed : EXIT.ok;
  },
});

async function examine(db: string | undefined): Promise<Finding[]> {
  const machine = [ok("Millrace", VERSION), runtimeFinding(), sqliteFinding(), await clockFinding()];
  const workloads = await projectWorkloads();
  const loaded = loadConfig(withFlags(readEnvironment(), { db }), { workloads });
  if (!loaded.ok) {
    return [
      ...machine,
      ...loaded.problems.map((problem) => fail("settings", problem, "Change it in the environment or in .env.")),
    ];
  }
  const { config, warnings } = loaded;
  const settings = warnings.map((warning) => warn("settings", warning, "Correct the name, or ignore this."));
  const store =
    config.databaseUrl === undefined
      ? fileFindings(config.jobDbPath, Date.now(), config.maxEventsPerTenant)
      : await postgresFindings(config.databaseUrl, config.maxEventsPerTenant);
  return [
    ...machine,
    ...(settings.length > 0 ? settings : [ok("settings", "valid")]),
    ...store,
    ...(await findingsOfAll(workloads, config)),
    ...(await serverFindings(config)),
  ];
}

function drawn(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, text, todo }) => [
    `${paint(styleOf(state), state.padEnd(4))}  ${check.padEnd(width)}  ${oneLine(text)}`,
    ...(todo === undefined ? [] : [`${" ".repeat(width + 8)}→ ${oneLine(todo)}`]),
  ]);
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  const sum = `${plural(findings.length, "check")}: ${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} failed.`;
  return [...lines, "", sum].join("\n");
}
