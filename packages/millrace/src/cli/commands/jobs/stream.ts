import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, whole } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { say, show } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>", "[name]"],
  flags: {
    after: { type: "string", value: "<n>", doc: "continue after the event with this id" },
    ...REMOTE,
  },
  examples: ["jobs stream job_4fQ81xZa", "jobs stream job_4fQ81xZa answer"],
  async run({ args: [id = "", name], flags }) {
    const after = whole("after", flags.after ?? "0", { min: 0, max: Number.MAX_SAFE_INTEGER });
    return withClient(flags, async (client) => {
      if (name === undefined) {
        return show(
          flags,
          async () => ({ streams: await client.streams(id) }),
          ({ streams }) => streams.map((each) => `${each.name}  ${each.bytes} bytes`).join("\n") || "No streams.",
        );
      }
      // Text chunks are printed on one line, as a model writes them.
      for await (const event of client.stream(id, name, { after })) {
        if (flags.json) say(JSON.stringify(event));
        else if (event.type === "chunk") process.stdout.write(textOf(event.value));
        else if (event.type === "restart") process.stdout.write("\n── restart ──\n");
        else say(`\n── ${event.state} ──`);
      }
      return 0;
    });
  },
});

function textOf(chunk: unknown): string {
  return typeof chunk === "string" ? chunk : `${JSON.stringify(chunk)}\n`;
}
