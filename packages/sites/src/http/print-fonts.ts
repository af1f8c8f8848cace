// Reports are printed with the system's fonts; where it has none, with these packages, if they are installed.

import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { PageFonts } from "millrace/chromium";

const SANS = { family: "Arimo", package: "@expo-google-fonts/arimo" };
const MONO = { family: "Cousine", package: "@expo-google-fonts/cousine" };

const require = createRequire(import.meta.url);

export function printFonts(): PageFonts | undefined {
  try {
    const folders = [SANS, MONO].map((font) => dirname(require.resolve(`${font.package}/package.json`)));
    return { folders, sans: SANS.family, mono: MONO.family };
  } catch {
    return undefined;
  }
}
