import { dirname } from "node:path";
import { type Fonts, findFonts } from "../text/fonts.ts";

const SANS = ["sans-serif", "serif", "Arial", "Helvetica", "Times New Roman", "trebuchet ms", "verdana"];
const MONO = ["monospace", "Courier New"];

/** A fontconfig file with which Chromium uses our fonts and no others. */
export function fontConfig(cache: string): string {
  const fonts = findFonts();
  const alias = (from: string, to: string) =>
    `<match target="pattern"><test name="family"><string>${from}</string></test><edit name="family" mode="assign" binding="same"><string>${to}</string></edit></match>`;
  return file(`${foldersOf(fonts)}
<cachedir>${cache}/fontcache</cachedir>
${SANS.map((name) => alias(name, fonts.sans)).join("\n")}
${MONO.map((name) => alias(name, fonts.mono)).join("\n")}`);
}

/** The system's fonts, with ours behind them: a small container has no fonts, and would print empty pages. */
export function fontConfigWithSystem(cache: string): string {
  const system = `<include ignore_missing="yes">/etc/fonts/fonts.conf</include>`;
  const fonts = installedFonts();
  if (fonts === undefined) return file(system);
  const behind = (from: string, to: string) =>
    `<alias><family>${from}</family><default><family>${to}</family></default></alias>`;
  return file(`${system}
${foldersOf(fonts)}
<cachedir>${cache}/fontcache</cachedir>
${behind("sans-serif", fonts.sans)}
${behind("system-ui", fonts.sans)}
${behind("monospace", fonts.mono)}`);
}

/** The packages are optional. */
function installedFonts(): Fonts | undefined {
  try {
    return findFonts();
  } catch {
    return undefined;
  }
}

function foldersOf({ files }: Fonts): string {
  const folders = [...new Set(files.map(({ path }) => dirname(path)))];
  return folders.map((folder) => `<dir>${folder}</dir>`).join("\n");
}

function file(content: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>\n${content}\n</fontconfig>`;
}
