import { dirname } from "node:path";
import { findFonts } from "../text/fonts.ts";

/** A fontconfig file by which Chromium draws with our fonts and with no other. */
export function fontConfig(cache: string): string {
  const fonts = findFonts();
  const folders = [...new Set(fonts.files.map(({ path }) => dirname(path)))];
  const alias = (from: string, to: string) =>
    `<match target="pattern"><test name="family"><string>${from}</string></test><edit name="family" mode="assign" binding="same"><string>${to}</string></edit></match>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
${folders.map((folder) => `<dir>${folder}</dir>`).join("\n")}
<cachedir>${cache}/fontcache</cachedir>
${["sans-serif", "serif", "Arial", "Helvetica", "Times New Roman", "trebuchet ms", "verdana"].map((name) => alias(name, fonts.sans)).join("\n")}
${["monospace", "Courier New"].map((name) => alias(name, fonts.mono)).join("\n")}
</fontconfig>`;
}
