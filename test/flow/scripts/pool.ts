// Waits for one call and closes nothing.

import { ProcessPool } from "../../../packages/millrace/src/isolated.ts";

const pool = new ProcessPool({ module: new URL("../modules/work.ts", import.meta.url), idleMs: 600_000 });
void pool.run({ do: "double", n: 21 }).then(({ result }) => {
  const { pid, n } = result as { pid: number; n: number };
  process.stdout.write(`${pid} ${n}\n`);
});
