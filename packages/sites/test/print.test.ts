// Reports as PDF: a real browser prints, and a browser that is missing, broken or hung gives a clear answer in time.

import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { chromiumForTests } from "../../../test/support/chromium.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { scaled } from "../../../test/support/slowness.ts";
import { until } from "../../../test/support/until.ts";
import { fontConfigWithSystem } from "../../millrace/src/chromium/font-config.ts";
import type { AppError } from "../../millrace/src/lib/app-error.ts";
import { printFonts } from "../src/http/print-fonts.ts";
import { Printer } from "../src/http/printer.ts";

const HTML = `<!doctype html><title>Report</title><h1>Printed</h1><p>${"word ".repeat(50_000)}</p><script>document.body.remove()</script>`;

/** A program that stands where a browser should be. */
function standIn(t: Parameters<typeof temporaryFolder>[0], script: string): { path: string; env: { PATH: string } } {
  const path = join(temporaryFolder(t), "chromium");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { path, env: { PATH: "/usr/bin:/bin" } };
}

function refusal(work: Promise<unknown>): Promise<AppError> {
  return work.then(
    () => assert.fail("it printed"),
    (error: AppError) => error,
  );
}

const ownFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`millrace-browser-${process.pid}-`));

describe("a report as PDF", () => {
  test("several at once are printed by the Chromium of npm, in one browser after the other", async () => {
    const binary = await chromiumForTests();
    const printer = new Printer({
      findBrowser: async () => binary,
      fontConfig: (cache: string) => fontConfigWithSystem(cache, printFonts()),
      limitMs: scaled(20_000),
    });
    const startedAt = performance.now();
    const pdfs = await Promise.all([printer.print(HTML), printer.print(HTML), printer.print(HTML)]);
    assert.ok(performance.now() - startedAt < scaled(3 * 5_000), "each within 5 s");
    for (const pdf of pdfs) {
      const text = Buffer.from(pdf).toString("latin1");
      assert.match(text, /^%PDF-/);
      assert.match(text, /%%EOF\s*$/);
      assert.ok([...text.matchAll(/\/Type \/Page\b/g)].length > 20, "all of it is there, and no script ran");
      assert.match(text, /\/FontFile/, "with its fonts");
    }
    assert.deepEqual(ownFolders(), []);
  });

  test("without a Chromium the answer says what to install", async () => {
    const { code, message, hint } = await refusal(
      new Printer({ findBrowser: async () => undefined, limitMs: 5_000 }).print(HTML),
    );
    assert.equal(code, "no-browser");
    assert.match(message, /needs a Chromium/);
    assert.match(hint ?? "", /npm install @sparticuz\/chromium.*CHROMIUM_PATH/);
  });

  test("a Chromium that cannot start is named, with what it said", async (t) => {
    const noProgram = join(temporaryFolder(t), "chromium");
    writeFileSync(noProgram, "no program");
    for (const [binary, said] of [
      [{ path: noProgram, env: {} }, /EACCES|permission denied/i],
      [standIn(t, "echo 'libnss3.so: cannot open shared object file' >&2; exit 127"), /libnss3\.so/],
    ] as const) {
      const { code, message, hint } = await refusal(
        new Printer({ findBrowser: async () => binary, limitMs: scaled(20_000) }).print(HTML),
      );
      assert.deepEqual([code, message.includes(binary.path)], ["no-browser", true]);
      assert.match(message, said);
      assert.match(hint ?? "", /npm install/);
    }
    assert.deepEqual(ownFolders(), []);
  });

  test("a Chromium that hangs is killed with all its processes, and those who wait behind it are answered in time", async (t) => {
    const folder = temporaryFolder(t);
    const hung = standIn(t, `sleep 600 & echo $! > ${folder}/helper; wait`);
    const printer = new Printer({ findBrowser: async () => hung, limitMs: 1_000 });
    const startedAt = performance.now();
    const refusals = await Promise.all([refusal(printer.print(HTML)), refusal(printer.print(HTML))]);
    assert.ok(performance.now() - startedAt < scaled(20_000));
    for (const { code, message } of refusals) {
      assert.equal(code, "print-timeout");
      assert.match(message, /within 1000 ms/);
    }
    if (!existsSync(join(folder, "helper"))) return t.diagnostic("it was killed before it could start its helper");
    const helper = Number(readFileSync(join(folder, "helper"), "utf8"));
    await until("the helper is gone", () => !isRunning(helper));
    await until("its folder is gone", () => ownFolders().length === 0);
  });
});

/** A dead process whose parent has not yet asked for it counts as gone. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
