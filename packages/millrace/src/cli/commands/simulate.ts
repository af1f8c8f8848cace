import { readFileSync } from "node:fs";
import { messageOf } from "../../lib/app-error.ts";
import type { SimulationPlan } from "../../simulate/plan.ts";
import { simulate } from "../../simulate/simulate.ts";
import { kindsOfAll } from "../../workload/compose.ts";
import { defineCommand, UsageError } from "../arguments/command.ts";
import { LOAD } from "../arguments/flags.ts";
import { loadConfigOrComplain } from "../load.ts";
import { say } from "../output/show.ts";
import { drawSimulation } from "../output/simulation.ts";
import { allWorkloads } from "../workloads.ts";

export const command = defineCommand({
  args: ["<plan.json>"],
  flags: {
    ...LOAD,
    seed: { type: "string", value: "<n>", doc: "the seed of chance (default: that of the plan, or 1)" },
    json: { type: "boolean", doc: "print the report as JSON" },
  },
  about:
    "Runs a load through the real store under a virtual clock: an hour takes seconds.\n" +
    "The plan names stages with their run times, and the jobs that come in.\n" +
    "With --load, stages take processors, retries, time limits and pace from your code.",
  examples: ["simulate plan.json", "simulate plan.json --load ./kinds.ts --json"],
  async run({ args: [file = ""], flags }) {
    const seed = flags.seed === undefined ? undefined : Number(flags.seed);
    if (seed !== undefined && !Number.isSafeInteger(seed)) throw new UsageError("--seed must be a whole number.");
    const workloads = await allWorkloads(flags.load);
    const config = loadConfigOrComplain({ listens: false, workloads });
    const kinds = await kindsOfAll(workloads, config);
    const plan = { ...readPlan(file), ...(seed !== undefined && { seed }) };
    const report = await simulate(plan, { kinds });
    say(flags.json ? JSON.stringify(report, null, 2) : drawSimulation(report));
    return 0;
  },
});

/** Reads the plan. `simulate()` checks its content. */
function readPlan(file: string): SimulationPlan {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`Could not read the plan: ${messageOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${messageOf(error)}`);
  }
}
