// Writes docs/reference/cli.md from the commands themselves. Node 24 or Bun: it loads TypeScript.

import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commandHelp } from "../src/cli/command.ts";
import { COMMANDS } from "../src/cli/commands.ts";

const HEAD = `# The command line

Written by \`node scripts/cli-reference.js\` from \`src/cli/commands\`; a test keeps it true.

- **Which server**: \`--url\`, else \`MILLRACE_URL\`, else \`http://HOST:PORT\` of the settings in this folder. With \`--db <file>\` a command
  works on the file itself, without a server, also beside one that runs.
- **Who**: the key in \`API_KEY\` (or \`--api-key\`); \`--tenant\` or \`MILLRACE_TENANT\` where no key fixes the tenant. An administrator reads
  across tenants with \`--tenant '*'\`.
- **Output**: tables for people, cut to the width of the terminal, in colour only there and not with \`NO_COLOR\`. \`--json\` gives
  the shapes of the API, on standard output; an error is then one line of JSON on standard error.
- **\`--watch\`** goes on until Ctrl-C and waits for a server that is away; in a pipe it prints every state once, with \`--json\` as a line each.
- **Times**: \`2026-11-15T10:00\` or a distance from now, \`90s\`, \`10m\`, \`2h\`, \`7d\`, \`1h30m\`.
- **Unknown flags** are refused, and so are arguments too many.

| exit code | means |
|---|---|
| 0 | done |
| 1 | it failed: a fault of the server, a time that ran out, a check of \`doctor\` or \`health\` |
| 2 | wrong use, wrong settings, or a request that the server finds at fault (400, 413, 422) |
| 3 | not found: no such job, kind, key, schedule |
| 4 | refused: no right (401, 403), a conflict (409), a limit (429), no room (507) |
| 5 | the server did not answer, or cannot just now (503) |
| 6 | the job that was waited for failed or was cancelled |
| 130 | ended by Ctrl-C; a job that was waited for goes on |
`;

/** What `--help` says of every command, and what holds for all of them. */
export async function cliReference() {
  const sections = await Promise.all(
    COMMANDS.map(async ({ name, summary, load }) => {
      const { command } = await load();
      return `## millrace ${name}\n\n\`\`\`\n${commandHelp(name, summary, command)}\n\`\`\`\n`;
    }),
  );
  return `${HEAD}\n${sections.join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(new URL("../docs/reference/", import.meta.url), { recursive: true });
  writeFileSync(new URL("../docs/reference/cli.md", import.meta.url), await cliReference());
}
