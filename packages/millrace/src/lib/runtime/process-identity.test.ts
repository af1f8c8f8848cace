// runtimes: both

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { isGone, processIdentity } from "./process-identity.ts";

const skip = process.platform === "linux" ? false : "only Linux tells where a process is";

describe("where a process is listed", { skip }, () => {
  test("a living process is not gone, one that ended is, as is another with its number", async () => {
    const own = processIdentity(process.pid) as string;
    assert.equal(isGone(own), false);
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    const identity = processIdentity(child.pid as number) as string;
    assert.equal(isGone(identity), false);
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(isGone(identity), true);
    assert.equal(isGone(own.replace(/\d+$/, "1")), true);
  });

  test("of a process of another boot or namespace nothing is claimed", () => {
    assert.equal(isGone("another-boot pid:[1] 1 1"), false);
  });
});
