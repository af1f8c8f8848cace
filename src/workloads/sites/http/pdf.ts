import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { AppError } from "../../../lib/app-error.ts";
import { childEnv } from "../../../lib/child-env.ts";

/** A browser that prints: where it is, and what it wants to be started with. */
export interface PrintingBrowser {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const PRINT_MS = 60_000;

/** Prints a page that needs nothing else. The browser gets it as a file and has no network; the page's own policy lets no script run. */
export async function printPdf(
  html: Uint8Array,
  browser: PrintingBrowser | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (browser === undefined) {
    throw new AppError("no-browser", "To make a PDF, a Chromium is needed on the server, and none was found.", {
      hint: "Install one (apt install chromium, or npm install @sparticuz/chromium) or set CHROMIUM_PATH; or print the HTML report from your own browser.",
    });
  }
  const folder = await mkdtemp(join(tmpdir(), "millrace-pdf-"));
  try {
    const page = join(folder, "report.html");
    const pdf = join(folder, "report.pdf");
    await writeFile(page, html);
    await print(browser, [...flags(folder), `--print-to-pdf=${pdf}`, pathToFileURL(page).href]);
    return new Uint8Array(await readFile(pdf));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function flags(folder: string): string[] {
  return [
    "--headless",
    "--disable-gpu",
    "--no-pdf-header-footer",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    `--user-data-dir=${join(folder, "profile")}`,
    // Chromium refuses its sandbox to root. The page is our own: no script may run in it, and all text in it is escaped.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ];
}

function print({ path, args, env }: PrintingBrowser, flags: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [...args, ...flags], {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
      env: childEnv(env),
    });
    let said = "";
    child.stderr.on("data", (data) => {
      if (said.length < 4_000) said += String(data);
    });
    // Its own group: Chromium leaves helpers behind when only its first process is ended.
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // Gone already.
      }
    };
    const timer = setTimeout(end, PRINT_MS);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(
        new AppError("no-browser", `${path} could not be started: ${error.message}`, {
          hint: "Set CHROMIUM_PATH to a Chromium that runs.",
        }),
      );
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      end();
      if (code === 0) resolve();
      else reject(new Error(`${path} ended with ${code ?? "a signal"}: ${said.slice(-500)}`));
    });
  });
}
