// runtimes: node
// time-limit: 300 s
// examples/monorepo: contracts with declarations, a web process without processors and a worker, on one PostgreSQL.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { run } from "../support/program.ts";
import { endsWell, installedExample, runs } from "./support/example.ts";
import { runtimePath } from "./support/new-project.ts";

removeDatabasesAfterwards();

test("web and worker share contracts with declarations, and work on one database", { timeout: 200_000 }, async (t) => {
  const folder = await installedExample(t, "monorepo");
  await runs(t, folder, ["tsc", "--build"]);
  const declarations = readFileSync(join(folder, "contracts/dist/index.d.ts"), "utf8");
  assert.match(declarations, /export declare const order: import\("millrace"\)\.\w+/);

  const env = { DATABASE_URL: await freshDatabase(), PORT: "0", DEPLOYMENT: "test-1" };
  const web = run(t, [runtimePath("node"), "dist/main.js"], { cwd: join(folder, "web"), env });
  const [url = ""] = await web.said(/http:\S+/);
  const order = (body: string) => fetch(`${url}/orders`, { method: "POST", body });
  // Accepted before any worker has ever run: the job waits for one.
  const early = order('{"id": "o-1", "cents": 1250}');
  const worker = run(t, [runtimePath("node"), "dist/main.js"], { cwd: join(folder, "worker"), env });
  assert.partialDeepStrictEqual(await (await early).json(), { receipt: "receipt-o-1-1250", parcel: "parcel-o-1" });

  assert.equal((await order('{"id": "o-2", "cents": 99}')).status, 200);
  assert.partialDeepStrictEqual(await (await order('{"id": "o-3", "cents": -1}')).json(), { code: "invalid-request" });
  const over = await order('{"id": "o-4", "cents": 2000000}');
  assert.deepEqual([over.status, await over.json()], [402, { error: "The order is over the limit." }]);
  assert.equal((await order("{")).status, 400);
  await endsWell(web);
  await endsWell(worker);

  const file = join(folder, "worker/src/pack.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace("parcel:", "package:"));
  await assert.rejects(
    runs(t, folder, ["tsc", "--build"]),
    /worker\/src\/main\.ts.*error TS2/s,
    "a result of another shape",
  );
});
