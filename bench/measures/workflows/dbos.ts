// DBOS Transact with its system database on the server of the case. Functions are registered before its launch.

import { DBOS } from "@dbos-inc/dbos-sdk";
import { now } from "../../contenders/contender.ts";
import { REST_MS, rest, type WorkflowEngine } from "./contender.ts";

const MOMENT_MS = 5;

export async function openDbos(url: string): Promise<WorkflowEngine> {
  const resumedAt: number[] = [];
  const stepped = DBOS.registerWorkflow(
    async (count: number) => {
      for (let n = 0; n < count; n++) await DBOS.runStep(async () => n, { name: `step ${n}` });
    },
    { name: "stepped" },
  );
  const sleeper = DBOS.registerWorkflow(
    async (count: number) => {
      for (let n = 0; n < count; n++) await DBOS.sleep(MOMENT_MS);
    },
    { name: "sleeper" },
  );
  const child = DBOS.registerWorkflow(async (n: string) => n, { name: "child" });
  const parent = DBOS.registerWorkflow(
    async (count: number) => {
      const handles: { getResult(): Promise<string> }[] = [];
      for (let n = 0; n < count; n++) handles.push(await DBOS.startWorkflow(child)(String(n)));
      const results: string[] = [];
      for (const handle of handles) results.push(await handle.getResult());
      return results.length;
    },
    { name: "parent" },
  );
  const listener = DBOS.registerWorkflow(
    async (count: number) => {
      for (let n = 0; n < count; n++) {
        await DBOS.recv("go", 600);
        resumedAt.push(now());
      }
    },
    { name: "listener" },
  );
  // It makes its own database on the server.
  const address = new URL(url);
  address.pathname = "/dbos";
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: address.href, logLevel: "error", runAdminServer: false });
  await DBOS.launch();
  const all = async (start: () => Promise<{ getResult(): Promise<unknown> }>, count: number) => {
    const handles = await Promise.all(Array.from({ length: count }, start));
    await Promise.all(handles.map((handle) => handle.getResult()));
  };
  return {
    steps: (workflows, steps) => all(() => DBOS.startWorkflow(stepped)(steps), workflows),
    sleeps: (workflows, times) => all(() => DBOS.startWorkflow(sleeper)(times), workflows),
    fanOut: (children) => all(() => DBOS.startWorkflow(parent)(children), 1),
    plain: (jobs) => all(() => DBOS.startWorkflow(child)("x"), jobs),
    resumed: async (signals) => {
      const handle = await DBOS.startWorkflow(listener)(signals);
      const took: number[] = [];
      for (let n = 0; n < signals; n++) {
        // Its wait shows in no list, so this is also the time in which it begins.
        await rest(REST_MS);
        const sentAt = now();
        await DBOS.send(handle.workflowID, n, "go");
        while (resumedAt.length <= n) await rest(1);
        took.push((resumedAt[n] ?? 0) - sentAt);
      }
      await handle.getResult();
      return took;
    },
    close: () => DBOS.shutdown(),
  };
}
