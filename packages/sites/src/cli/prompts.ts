import { defineCommand, oneLine, REMOTE, show, tell, UsageError, withClient } from "millrace/cli";
import { sites } from "../client.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    set: {
      type: "string",
      multiple: true,
      value: "<text>",
      doc: "replace all prompts with this one; repeatable",
    },
    approve: { type: "boolean", doc: "approve the prompts and continue the run" },
    ...REMOTE,
  },
  about: "You can edit and approve prompts while the analysis waits for review (submit --review).",
  examples: [
    "sites prompts job_4fQ81xZa",
    'sites prompts job_4fQ81xZa --set "Which cargo bike is best for families?" --approve',
  ],
  async run({ args: [id = ""], flags }) {
    if (flags.set?.length === 0) throw new UsageError("--set needs a prompt.");
    return withClient(flags, async (client) => {
      if (flags.approve) {
        const job = await client.with(sites).sites.approvePrompts(id, flags.set ? { prompts: flags.set } : {});
        return tell(flags, job, `${job.jobId}  ${job.status}`);
      }
      if (flags.set) {
        const set = await client.with(sites).sites.editPrompts(id, flags.set);
        return tell(flags, set, set.prompts.map(({ text }) => oneLine(text)).join("\n"));
      }
      return show(flags, () => client.with(sites).sites.prompts(id), shown);
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
    ...(waitsForReview ? ["They wait for review. --set replaces them, --approve continues the run."] : []),
  ].join("\n");
}
