import { appendFileSync } from "node:fs";
import type { Context } from "../../../packages/millrace/src/job/context.ts";
import { type Errand, spin, startGrandchild } from "./kinds.ts";

/** The module of the isolated kind. It writes the ids of its processes to the file its payload names as `gate`. */
export default function errand(ctx: Context, payload: Errand): { key: string; pid: number } {
  const grandchild = payload.spins === "with-grandchild" ? startGrandchild() : undefined;
  if (payload.gate) appendFileSync(payload.gate, `${process.pid}\n${grandchild ? `${grandchild}\n` : ""}`);
  if (payload.dies && ctx.attempt === 1) process.kill(process.pid, "SIGKILL");
  if (payload.spins) for (;;);
  if (payload.spinMs && ctx.attempt === 1) spin(payload.spinMs);
  return { key: payload.key, pid: process.pid };
}
