import { writeFileSync } from "node:fs";
import type { ArtifactInfo } from "../../../client/index.ts";
import { defineCommand, UsageError } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  args: ["<id>", "[name]"],
  flags: {
    out: { type: "string", value: "<file>", doc: "write the artifact to this file (default: standard output)" },
    ...REMOTE,
  },
  about: "Without a name it lists the artifacts. With a name it writes the contents of that artifact.",
  examples: ["jobs artifacts job_4fQ81xZa", "jobs artifacts job_4fQ81xZa invoice.pdf --out invoice.pdf"],
  async run({ args: [id = "", name], flags }) {
    if (name === undefined && flags.out !== undefined) throw new UsageError("--out needs the name of an artifact.");
    return withClient(flags, async (client) => {
      if (name === undefined) {
        const load = async () => ({ artifacts: await client.artifacts(id) });
        return show(flags, load, ({ artifacts }) => artifactTable(artifacts));
      }
      const { bytes } = await client.artifact(id, name);
      if (flags.out === undefined) process.stdout.write(bytes);
      else writeFileSync(flags.out, bytes);
      return 0;
    });
  },
});

function artifactTable(artifacts: readonly ArtifactInfo[]): string {
  if (artifacts.length === 0) return "No artifacts.";
  return table<ArtifactInfo>(
    [
      { title: "NAME", value: ({ name }) => name, stretch: true },
      { title: "TYPE", value: ({ contentType }) => contentType, most: 40 },
      { title: "BYTES", value: ({ size }) => size, align: "right" },
    ],
    artifacts,
    process.stdout.columns,
  );
}
