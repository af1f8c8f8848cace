// runtimes: node
// time-limit: 300 s
// Examples that mount Millrace in an application, type-checked and run. The others are in frameworks.test.ts.

import { describe, test } from "node:test";
import { run } from "../support/program.ts";
import { endsWell, installedExample, runs, servesMillrace } from "./support/example.ts";
import { runtimePath } from "./support/new-project.ts";

const TIMEOUT_MS = 200_000;

describe("the example", () => {
  for (const [name, runtimes] of [
    ["hono", ["node", "bun"]],
    ["express", ["node"]],
  ] as const) {
    test(`${name} has types, and serves the API and the dashboard`, { timeout: TIMEOUT_MS }, async (t) => {
      const folder = await installedExample(t, name);
      await runs(t, folder, ["tsc"]);
      for (const runtime of runtimes) {
        const program = run(t, [runtimePath(runtime), "server.ts"], { cwd: folder, env: { PORT: "0" } });
        const [, url = ""] = await program.said(/(http:\S+)\/millrace/);
        await servesMillrace(url);
        await endsWell(program);
      }
    });
  }
});
