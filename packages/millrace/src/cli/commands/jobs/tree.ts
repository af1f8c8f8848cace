import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { say } from "../../output/show.ts";
import { treeAsDot, treeAsText } from "../../output/tree.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    format: { type: "string", value: "<format>", choices: ["text", "dot", "json"], doc: "text (default), dot or json" },
    ...REMOTE,
  },
  about:
    "Shows a job with its parents, children and dependencies.\nAbove 200 jobs, a call with many jobs shows their number by state.",
  examples: ["jobs tree job_4fQ81xZa", "jobs tree job_4fQ81xZa --format dot"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async (client) => {
      const tree = await client.tree(id);
      if (flags.json || flags.format === "json") say(JSON.stringify(tree, null, flags.json ? 0 : 2));
      else say(flags.format === "dot" ? treeAsDot(tree) : treeAsText(tree));
      return 0;
    });
  },
});
