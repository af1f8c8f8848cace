import { defineCommand, UsageError } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { REMOTE } from "../../flags.ts";
import { oneLine } from "../../output/format.ts";
import { show, tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    set: {
      type: "string",
      multiple: true,
      value: "<text>",
      doc: "put these in their place; may be given several times",
    },
    approve: { type: "boolean", doc: "let the run go on, with its prompts or with those of --set" },
    ...REMOTE,
  },
  about: "Prompts can be edited and approved while the run waits for review.",
  examples: [
    "sites prompts job_4fQ81xZa",
    'sites prompts job_4fQ81xZa --set "Which cargo bike is best for families?" --approve',
  ],
  async run({ args: [id = ""], flags }) {
    if (flags.set?.length === 0) throw new UsageError("--set needs a text.");
    return withClient(flags, async (client) => {
      if (flags.approve) {
        const job = await client.sites.approvePrompts(id, flags.set ? { prompts: flags.set } : {});
        return tell(flags, job, `${job.jobId}  ${job.status}`);
      }
      if (flags.set) {
        const set = await client.sites.editPrompts(id, flags.set);
        return tell(flags, set, set.prompts.map(({ text }) => oneLine(text)).join("\n"));
      }
      return show(flags, () => client.sites.prompts(id), shown);
    });
  },
});

interface Answer {
  prompts: { prompts: { text: string; intent: string; branded: boolean }[] };
  estimate: { calls: number; usd: number | null };
  waitsForReview: boolean;
}

function shown({ prompts, estimate, waitsForReview }: Answer): string {
  const cost = estimate.usd === null ? "cost unknown" : `about $${estimate.usd.toFixed(2)}`;
  return [
    ...prompts.prompts.map(
      ({ text, intent, branded }) => `${intent.padEnd(11)}${oneLine(text)}${branded ? "  (names the brand)" : ""}`,
    ),
    estimate.calls === 0 ? "No model will be asked." : `${estimate.calls} model calls, ${cost}.`,
    ...(waitsForReview ? ["They wait for review: --set changes them, --approve lets the run go on."] : []),
  ].join("\n");
}
