import { defineCommand, oneLine, REMOTE, show, withClient } from "millrace/cli";
import type { SiteComparison } from "../api/site-shapes.ts";
import { sites } from "../client.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    with: { type: "string", value: "<id>", doc: "earlier run (default: the previous run of the site)" },
    ...REMOTE,
  },
  examples: ["sites compare job_4fQ81xZa", "sites compare job_4fQ81xZa --with job_9aB2kLmN"],
  async run({ args: [id = ""], flags }) {
    const options = flags.with === undefined ? {} : { with: flags.with };
    return withClient(flags, (client) => show(flags, () => client.with(sites).sites.compare(id, options), drawn));
  },
});

function drawn({ before, after, comparable, reasons, changes, versions, readiness, coverage }: SiteComparison): string {
  return [
    `${before} → ${after}`,
    ...(comparable ? [] : ["The figures cannot be compared:", ...reasons.map((reason) => `  ${oneLine(reason)}`)]),
    ...changes.map(
      ({ label, before, after, beyondChance, noticeable }) =>
        `${label.padEnd(18)}${before}  →  ${after}${beyondChance ? "" : "  (within chance)"}${noticeable === undefined ? "" : `  (notices ${Math.round(noticeable * 100)} points or more)`}`,
    ),
    ...versions.map(({ ref, before, after }) => `${ref} is another version now: ${before} → ${after}`),
    ...readiness.map(({ label, before, after }) => `${oneLine(label)}: ${before} → ${after}`),
    ...coverage.map(({ prompt, before, after }) => `${oneLine(prompt)}: ${before} → ${after}`),
    ...(comparable && changes.length + readiness.length + coverage.length === 0 ? ["Nothing changed."] : []),
  ].join("\n");
}
