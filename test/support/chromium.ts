// A real Chromium for tests: the one CHROMIUM_PATH names, the system's, or the one that npm installed with us.

import { type ChromiumBinary, findChromium, preferChromium } from "../../src/workloads/diagrams/chromium/find.ts";

export async function chromiumForTests(): Promise<ChromiumBinary> {
  preferChromium(process.env["CHROMIUM_PATH"]);
  const found = await findChromium();
  if (found === undefined) throw new Error("No Chromium was found: run npm ci, or name one by CHROMIUM_PATH.");
  return found;
}
