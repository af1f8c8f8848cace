import type { Health } from "../../client/index.ts";
import { defineCommand } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit.ts";
import { REMOTE } from "../arguments/flags.ts";
import { withClient } from "../connect.ts";
import { duration, oneLine, plural } from "../output/format.ts";
import { paint, styleOf } from "../output/paint.ts";
import { tell } from "../output/show.ts";

export const command = defineCommand({
  flags: REMOTE,
  about: "Exit code 1 if the status is error. Degraded gives 0: the server works, but an operator should act.",
  examples: ["health"],
  async run({ flags }) {
    return withClient(flags, async (client) => {
      const health = await client.health();
      tell(flags, health, drawn(health));
      return health.status === "error" ? EXIT.failed : EXIT.ok;
    });
  },
});

function drawn({ status, uptime, problems = [], unservedStages = [] }: Health): string {
  const lines = [`${paint(styleOf(status), status)}  up ${duration(uptime * 1_000)}`];
  lines.push(...problems.map((problem) => `  ${paint(status === "error" ? "red" : "yellow", oneLine(problem))}`));
  for (const { kind, stage, jobs, lastServedBy } of unservedStages) {
    const name = stage === null ? kind : `${kind}/${stage}`;
    const last = lastServedBy === undefined ? "" : ` (last served by ${lastServedBy})`;
    lines.push(
      `  ${paint("yellow", oneLine(`${plural(jobs, "job")} at ${name}, which no living process serves${last}`))}`,
    );
  }
  return lines.join("\n");
}
