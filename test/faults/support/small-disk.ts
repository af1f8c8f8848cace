import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";

const DISK_MB = 24;

export interface SmallDisk {
  readonly folder: string;
  /** To the last page, but for this many bytes. */
  fill(but?: { leaving: number }): void;
  free(): void;
}

/** A small but real file system, in memory. Where none can be mounted the test is skipped, and says why. */
export function smallDisk(
  t: TestContext,
  folder: string,
  beforeItGoes: (unmount: () => void) => void,
  megabytes = DISK_MB,
): SmallDisk | undefined {
  mkdirSync(folder);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], {
    encoding: "utf8",
  });
  if (mounted.status !== 0) {
    const why = mounted.error?.message ?? mounted.stderr.trim();
    console.log(`not run here, a small disk cannot be mounted: ${why}`);
    t.skip(`a small disk cannot be mounted: ${why}`);
    return undefined;
  }
  beforeItGoes(() => void spawnSync("umount", ["-l", folder]));
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill: (but) => fill(folder, ballast, but?.leaving ?? 0),
    free: () => rmSync(ballast, { force: true }),
  };
}

function fill(folder: string, ballast: string, leaving: number): void {
  const file = openSync(ballast, "a");
  try {
    for (let room = freeBytes(folder) - leaving; room > 0; room = freeBytes(folder) - leaving) {
      writeSync(file, Buffer.alloc(Math.min(room, 1_048_576), "b"));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
