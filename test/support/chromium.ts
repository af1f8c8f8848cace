// A real Chromium for tests: the one that npm installs. With TEST_SYSTEM=1 it is the one that CHROMIUM_PATH names.

import { type ChromiumBinary, findChromium, preferChromium } from "../../packages/millrace/src/chromium/find.ts";

export async function chromiumForTests(): Promise<ChromiumBinary> {
  const path = namedPath();
  preferChromium(path);
  const found = await findChromium();
  if (found !== undefined) return found;
  throw new Error(
    path === undefined ? "No Chromium was found. Run npm ci (Linux x64)." : `There is no Chromium at ${path}.`,
  );
}

/** The settings with which a server under test uses the same Chromium. It is unpacked when this returns. */
export async function chromiumSettings(): Promise<Record<string, string>> {
  await chromiumForTests();
  const path = namedPath();
  return path === undefined ? {} : { CHROMIUM_PATH: path };
}

function namedPath(): string | undefined {
  return process.env["TEST_SYSTEM"] === "1" ? process.env["CHROMIUM_PATH"] : undefined;
}
