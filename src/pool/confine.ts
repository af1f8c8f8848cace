// What a confined child is denied, and by whom. The kernel where it lets us (a network namespace of the child's own, a limit
// of nothing on what files may grow), the runtime where it can (Node's permissions), and in any case the child itself, which
// removes what leads to a network before the stage's module is loaded.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { HeapBound } from "./heap-bound.ts";

export interface Confinement {
  /** Who keeps the child from the network. */
  readonly network: "namespace" | "globals";
  /** Who keeps it from writing files: `nobody` on systems without `prlimit` and on runtimes without permissions. */
  readonly writes: "limit" | "permissions" | "nobody";
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

let found: (Confinement & { readonly prefix: readonly string[] }) | undefined;

/** Found by trying, once in a process: containers and hardened kernels often forbid namespaces. */
export function confinement(): Confinement {
  const { network, writes } = find();
  return { network, writes };
}

export function confinedCommand(args: readonly string[], heap: HeapBound): Command {
  const [command = process.execPath, ...rest] = [...find().prefix, process.execPath];
  return { command, args: [...rest, ...PERMISSIONS, ...heap.flags, ...args], env: { ...ENVIRONMENT, ...heap.env } };
}

/** Nothing of ours; and the same time zone whoever starts the server. */
const ENVIRONMENT = {
  TZ: "UTC",
  // Bun would write what it has compiled to a file.
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
};

const isBun = process.versions["bun"] !== undefined;

const PERMISSIONS = isBun
  ? []
  : ["--permission", "--allow-fs-read=*", "--allow-worker", "--allow-addons", "--no-warnings"];

function find(): NonNullable<typeof found> {
  found ??= probe();
  return found;
}

function probe(): NonNullable<typeof found> {
  const limit = working("prlimit", ["--fsize=0:0", "--core=0:0"]);
  const namespace = working("unshare", ["--map-root-user", "--net"]);
  return {
    network: namespace.length > 0 ? "namespace" : "globals",
    writes: limit.length > 0 ? "limit" : isBun ? "nobody" : "permissions",
    prefix: [...limit, ...namespace],
  };
}

const FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** The command with its flags, by its whole path since the child's environment has none; nothing if it fails here. */
function working(name: string, flags: readonly string[]): readonly string[] {
  if (process.platform !== "linux") return [];
  const at = (program: string) => FOLDERS.map((folder) => `${folder}/${program}`).find((path) => existsSync(path));
  const [path, nothing] = [at(name), at("true")];
  if (path === undefined || nothing === undefined) return [];
  const command = [path, ...flags];
  const { status } = spawnSync(path, [...flags, nothing], { stdio: "ignore", timeout: 5_000 });
  return status === 0 ? command : [];
}
