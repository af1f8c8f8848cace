import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { backupFile } from "../../store/sqlite/file.ts";
import { defineCommand } from "../command.ts";
import { loadConfigOrComplain } from "../load.ts";
import { bytes } from "../output/format.ts";
import { tell } from "../output/show.ts";

export const command = defineCommand({
  args: ["<file>"],
  flags: {
    db: { type: "string", value: "<file>", doc: "the file to copy; else JOB_DB_PATH" },
    json: { type: "boolean", doc: "for programs" },
  },
  about:
    "Directly from the file, also while a server runs: one consistent snapshot. An existing file is never overwritten.",
  examples: ["backup ./backup/jobs-2026-11-15.db"],
  async run({ args: [file = ""], flags }) {
    const config = loadConfigOrComplain({ listens: false });
    mkdirSync(dirname(resolve(file)), { recursive: true });
    const files = backupFile(flags.db ?? config.jobDbPath, resolve(file));
    const copies = files.map((path) => ({ path, bytes: statSync(path).size }));
    return tell(flags, { files: copies }, copies.map((copy) => `${copy.path}  ${bytes(copy.bytes)}`).join("\n"));
  },
});
