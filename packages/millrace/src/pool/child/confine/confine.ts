// What a confined child is denied, and by what. Namespaces of the kernel where it lets us make them, the runtime where it can
// (Node's permissions), and in any case the child itself, which removes what leads to a network before the stage's module is
// loaded. What the machine allows is found by trying. The answer is kept for the life of the process, unless a program did not
// answer at all: a machine that is starved for a moment must not leave a process with weaker limits for good.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CONDITIONS } from "../../../lib/runtime/conditions.ts";
import type { HeapBound } from "../resources/heap-bound.ts";
import { PROGRAM_NAMES, type Programs, SANDBOX_DEPTH, type Sandbox, sandboxed } from "./sandbox.ts";
import { viewFor } from "./view.ts";

/** What denies a confined child process each ability on this machine. `allowed`: nothing does, and the child can do it. */
export interface Confinement {
  /** TCP, UDP, DNS and abstract sockets. `globals`: JavaScript functions are removed, which other code can get round. */
  readonly network: "namespace" | "globals";
  /** Creating, changing and deleting files. `limit`: no file may grow, but files can be deleted, truncated and renamed. */
  readonly writes: "mounts" | "permissions" | "limit" | "allowed";
  /** Starting programs. `inside`: programs start with the same limits as the child and end with it. */
  readonly programs: "permissions" | "inside" | "allowed";
  /** Signals to other processes. */
  readonly signals: "namespace" | "allowed";
  /** Socket files of other programs: those that exist when the child starts, and all in /run, /tmp and /var/tmp. */
  readonly sockets: "mounts" | "allowed";
  /** Reading the store's files and the server's `.env`. Other files can be read. */
  readonly store: "mounts" | "allowed";
  /** The environment and memory of other processes, by /proc. */
  readonly processes: "namespace" | "allowed";
}

export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** How many processes lie between the one that is started and the child. */
  readonly depth: number;
}

/** The means of confinement on this machine. */
export type ConfinementMeans =
  | { readonly sandbox: Sandbox; readonly programs: Programs }
  | { readonly prefix: readonly string[] };

let found: ConfinementMeans | undefined;

/** What a stage with `confined: true` is denied on this machine. It is found out by trying, once in a process. */
export function confinement(): Confinement {
  return held(means());
}

function means(): ConfinementMeans {
  if (found) return found;
  const probed = probe();
  if (probed.isSure) found = probed.means;
  return probed.means;
}

export function confinedCommand(file: string, args: readonly string[], heap: HeapBound): ChildCommand {
  const found = means();
  const runtime = [process.execPath, ...CONDITIONS, ...PERMISSIONS, ...heap.flags, file, ...args];
  const [command = process.execPath, ...rest] = wrapped(found, runtime, [file, ...args.filter(isFile).map(pathOf)]);
  const depth = "sandbox" in found ? SANDBOX_DEPTH : 0;
  return { command, args: rest, env: { ...ENVIRONMENT, ...heap.env }, depth };
}

/** Passes on no variable of the server, and sets the same time zone for every server. */
const ENVIRONMENT = {
  TZ: "UTC",
  // Bun would write what it has compiled to a file.
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
};

const isBun = process.versions["bun"] !== undefined;

const PERMISSIONS = isBun
  ? []
  : ["--permission", "--allow-fs-read=*", "--allow-worker", "--allow-addons", "--no-warnings"];

function isFile(arg: string): boolean {
  return arg.startsWith("file:");
}

function pathOf(url: string): string {
  return fileURLToPath(url);
}

function wrapped(means: ConfinementMeans, command: readonly string[], files: readonly string[]): string[] {
  if (!("sandbox" in means)) return [...means.prefix, ...command];
  return sandboxed(means.sandbox, viewFor([process.execPath, ...files]), means.programs, command);
}

function held(means: ConfinementMeans): Confinement {
  if ("sandbox" in means) {
    return {
      network: "namespace",
      writes: "mounts",
      programs: isBun ? "inside" : "permissions",
      signals: "namespace",
      sockets: "mounts",
      store: "mounts",
      processes: "namespace",
    };
  }
  const [hasLimit, hasNetwork] = ["--fsize=0:0", "--net"].map((flag) => means.prefix.includes(flag));
  return {
    network: hasNetwork ? "namespace" : "globals",
    writes: isBun ? (hasLimit ? "limit" : "allowed") : "permissions",
    programs: isBun ? "allowed" : "permissions",
    signals: "allowed",
    sockets: "allowed",
    store: "allowed",
    // The kernel lets no process look from one user namespace into another.
    processes: hasNetwork ? "namespace" : "allowed",
  };
}

/** Whether a program succeeded; `unclear`: it could not be started, or did not end in time. */
export type ProgramTrial = (command: readonly string[]) => "works" | "fails" | "unclear";

export interface ProbeResult {
  readonly means: ConfinementMeans;
  /** Whether every program answered, so that another try would give the same. */
  readonly isSure: boolean;
}

export function probe(attempt: ProgramTrial = start): ProbeResult {
  if (process.platform !== "linux") return { means: { prefix: [] }, isSure: true };
  let isSure = true;
  const runs = (command: readonly string[]) => {
    const answer = command[0] ? attempt(command) : "fails";
    if (answer === "unclear") isSure = false;
    return answer === "works";
  };
  const found = probeWith(runs);
  return { means: found, isSure };
}

type Runs = (command: readonly string[]) => boolean;

function probeWith(runs: Runs): ConfinementMeans {
  const programs = Object.fromEntries(PROGRAM_NAMES.map((name) => [name, pathOfProgram(name)])) as Programs;
  const kinds: Sandbox[] = [
    { by: "unshare", ownProc: true },
    { by: "bwrap", ownProc: true },
    { by: "unshare", ownProc: false },
    { by: "bwrap", ownProc: false },
  ];
  const sandbox = kinds.find((each) => holds(each, programs, runs));
  if (sandbox) return { sandbox, programs };
  const nothing = pathOfProgram("true");
  const working = (command: string[]) => (runs([...command, nothing]) ? command : []);
  const limit = working([programs.prlimit, "--fsize=0:0", "--core=0:0"]);
  return { prefix: [...limit, ...working([programs.unshare, "--map-root-user", "--net"])] };
}

/** Tries what the sandbox is for: this process cannot be signalled, nothing can be created, and /dev/null works. */
function holds(sandbox: Sandbox, programs: Programs, runs: Runs): boolean {
  const needed = ["sh", "setsid", "setpriv", "prlimit", ...(sandbox.by === "bwrap" ? ["bwrap"] : ["unshare", "mount"])];
  if (needed.some((name) => programs[name as keyof Programs] === "")) return false;
  const check = `kill -0 ${process.pid} 2>/dev/null && exit 1; for at in / /tmp /dev /var/tmp "$1"; do
    ( : >"$at/.millrace-probe" ) 2>/dev/null && exit 1; done; echo x >/dev/null`;
  try {
    const view = viewFor([process.execPath]);
    return runs(sandboxed(sandbox, view, programs, [programs.sh, "-c", check, "sh", process.cwd()]));
  } catch {
    // Without /proc, the files to hide are not known.
    return false;
  }
}

function start([command = "", ...args]: readonly string[]): ReturnType<ProgramTrial> {
  const { status, error } = spawnSync(command, args, { stdio: "ignore", timeout: 10_000, env: {} });
  if (status === 0) return "works";
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  if (["EACCES", "EPERM", "ENOENT"].includes(code)) return "fails";
  // No process or descriptor was free, or it was ended after its time.
  return error !== undefined || status === null ? "unclear" : "fails";
}

const FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** By its whole path, since the child's environment has none; empty where the machine has no such program. */
function pathOfProgram(program: string): string {
  return FOLDERS.map((folder) => `${folder}/${program}`).find((path) => existsSync(path)) ?? "";
}
