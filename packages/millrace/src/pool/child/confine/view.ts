// What a confined child sees of the file system: everything read-only, without devices, and without the files and folders by
// which it could reach another process or the store.

import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";

export interface ChildView {
  /** Folders that the child sees empty. */
  readonly emptied: readonly string[];
  /** Folders below those that it sees all the same: its module may be there. */
  readonly kept: readonly string[];
  /** Files and socket files that it sees as /dev/null. */
  readonly hidden: readonly string[];
  /** Mounts with files of the machine, each with the flags that have to stay. */
  readonly mounts: readonly { readonly at: string; readonly flags: readonly string[] }[];
}

/** Where programs put their socket files and scratch files. */
const SCRATCH = ["/run", "/tmp", "/var/tmp"];
/** The child gets its own of these, or none at all. */
const KERNEL = ["/dev", "/proc", "/sys"];

/** `needed`: files that the child loads. */
export function viewFor(needed: readonly string[]): ChildView {
  const emptied = [...new Set(SCRATCH.flatMap(realFolder))];
  const covered = [...emptied, ...KERNEL];
  const kept = new Set(needed.flatMap((file) => emptied.flatMap((folder) => firstBelow(folder, realPath(file)))));
  // A file that has disappeared cannot be reached either.
  const hidden = [...new Set([...openFiles(), ...socketFiles(), ...secretFiles()])].filter(
    (path) => !isBelow(path, covered) || isBelow(path, [...kept]),
  );
  const mounts = mountPoints().filter(({ at }) => !isBelow(at, covered) || isBelow(at, [...kept]));
  return { emptied, kept: [...kept], hidden, mounts };
}

function realFolder(path: string): string[] {
  try {
    const real = realpathSync(path);
    return lstatSync(real).isDirectory() ? [real] : [];
  } catch {
    return [];
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** `/tmp/app` of `/tmp/app/src/module.ts`. */
function firstBelow(folder: string, path: string): string[] {
  if (!isBelow(path, [folder])) return [];
  const [name = ""] = path.slice(folder.length + 1).split("/");
  return name === "" ? [] : [`${folder}/${name}`];
}

/** Files that this process holds open for writing: the database, its artifacts, a log. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      if (!path.startsWith("/") || !lstatSync(path).isFile()) return [];
      const [, flags = "0"] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
      const READ_ONLY = 0;
      return (Number.parseInt(flags, 8) & 3) === READ_ONLY ? [] : [path];
    } catch {
      return [];
    }
  });
}

/** Those that the kernel knows in this network. */
function socketFiles(): string[] {
  const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
  return lines.flatMap((line) => {
    const path = / (\/.*)$/.exec(line)?.[1];
    try {
      return path !== undefined && lstatSync(path).isSocket() ? [realpathSync(path)] : [];
    } catch {
      return [];
    }
  });
}

/** The server's settings, with its keys. */
function secretFiles(): string[] {
  try {
    const folder = process.cwd();
    return readdirSync(folder)
      .filter((name) => /^\.env(?:\.|$)/.test(name) && name !== ".env.example")
      .map((name) => realpathSync(`${folder}/${name}`))
      .filter((path) => lstatSync(path).isFile());
  } catch {
    return [];
  }
}

/** A flag that a namespace of its own may not take from a mount; the child has the others in any case. */
const LOCKED = ["noexec"];

function mountPoints(): ChildView["mounts"][number][] {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").trim().split("\n");
  const points = new Map(
    lines.map((line) => {
      const [, , , , at = "/", options = ""] = line.split(" ");
      const plain = at.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
      return [plain, { at: plain, flags: options.split(",").filter((flag) => LOCKED.includes(flag)) }];
    }),
  );
  return [...points.values()];
}
