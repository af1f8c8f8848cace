import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childEnv } from "../../lib/runtime/child-env.ts";
import { compiledModule } from "../../lib/runtime/compiled-module.ts";
import { CONDITIONS } from "../../lib/runtime/conditions.ts";
import { ownFile } from "../../lib/runtime/own-file.ts";
import { type ChildCommand, confinedCommand } from "./confine/confine.ts";
import { heapBound, NO_BOUND } from "./resources/heap-bound.ts";

export interface SpawnOptions {
  /** Whether it has no network, no writing and no other programs, as far as the machine allows. */
  confined?: boolean | undefined;
  memoryMb?: number | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** False: the child does not keep this process alive. */
  isWaitedFor?: boolean;
}

export interface SpawnedProcess {
  readonly process: ChildProcess;
  /** How many processes lie between the one that is started and the child. */
  readonly depth: number;
}

/** Starts child/main.ts for a module, as the leader of a process group of its own. */
export function spawnChild(module: URL, options: SpawnOptions): SpawnedProcess {
  const { confined = false, env: own = {}, isWaitedFor = true } = options;
  const { command, args, env, depth } = commandFor(module, options);
  const child = spawn(command, args, {
    detached: true,
    env: { ...env, ...own },
    ...(confined && { cwd: "/" }),
    // The last pipe is the lifeline: nothing is ever written to it; it closes when this process dies.
    stdio: ["ignore", "pipe", "pipe", "ipc", "pipe"],
  });
  if (!isWaitedFor) unref(child);
  return { process: child, depth };
}

/** The file that a child process runs. Throws `bundled` in a bundle without the installed package. */
export function childMain(): string {
  return fileURLToPath(ownFile("pool/child/main.ts"));
}

function commandFor(module: URL, { confined, memoryMb }: SpawnOptions): ChildCommand {
  const main = childMain();
  const heap = memoryMb === undefined ? NO_BOUND : heapBound(memoryMb);
  const cap = memoryMb === undefined ? [] : [String(memoryMb)];
  const file = compiledModule(module).href;
  if (confined) return confinedCommand(main, [file, "confined", ...cap], heap);
  const args = [...CONDITIONS, ...heap.flags, main, file, "free", ...cap];
  return { command: process.execPath, args, env: childEnv(heap.env), depth: 0 };
}

function unref(child: ChildProcess): void {
  child.unref();
  // On Bun the channel has no such method.
  (child.channel as { unref?(): void } | null | undefined)?.unref?.();
  for (const stream of child.stdio) (stream as { unref?(): void } | null | undefined)?.unref?.();
}
