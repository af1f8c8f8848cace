// A temporary folder in memory for each test file, where the machine lets us mount one (as root on Linux). The files of a test
// need not outlive it, and waiting for the disk was half of the contract suite's time. The mount is in a namespace of the
// file's own process, so it goes with it, however it ends.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const GIB = 1024 ** 3;
/** What one file may use, and what must be free for all that run at once. */
const SIZE = "3g";
const LEAST_FREE_BYTES = 6 * GIB;
const MOUNT = `mount -t tmpfs -o mode=1777,size=${SIZE} millrace "$TMPDIR" && exec "$@"`;

/**
 * What a test file is started with, and the environment it needs. TEST_DISK=1 keeps all files on the disk.
 * @param {NodeJS.ProcessEnv} env
 */
export function ramFolder(env) {
  const none = { prefix: [], env: {}, remove() {} };
  if (process.platform !== "linux" || process.getuid?.() !== 0 || env["TEST_DISK"] === "1") return none;
  if (freemem() < LEAST_FREE_BYTES) return none;
  const folder = mkdtempSync(join(tmpdir(), "millrace-ram-"));
  const found = {
    prefix: ["unshare", "--mount", "sh", "-c", MOUNT, "sh"],
    env: { TMPDIR: folder },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  const [command, ...args] = [...found.prefix, "true"];
  if (spawnSync(command, args, { env: { ...env, ...found.env }, stdio: "ignore" }).status === 0) return found;
  found.remove();
  return none;
}
