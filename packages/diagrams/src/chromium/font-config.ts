import { dirname } from "node:path";
import { fontConfigFile, fontFolders } from "millrace/chromium";
import { type Fonts, findFonts } from "../text/fonts.ts";

const SANS = ["sans-serif", "serif", "Arial", "Helvetica", "Times New Roman", "trebuchet ms", "verdana"];
const MONO = ["monospace", "Courier New"];

/** A fontconfig file with which Chromium uses our fonts and no others. */
export function fontConfig(cache: string): string {
  const fonts = findFonts();
  const alias = (from: string, to: string) =>
    `<match target="pattern"><test name="family"><string>${from}</string></test><edit name="family" mode="assign" binding="same"><string>${to}</string></edit></match>`;
  return fontConfigFile(`${foldersOf(fonts)}
<cachedir>${cache}/fontcache</cachedir>
${SANS.map((name) => alias(name, fonts.sans)).join("\n")}
${MONO.map((name) => alias(name, fonts.mono)).join("\n")}`);
}

function foldersOf({ files }: Fonts): string {
  return fontFolders([...new Set(files.map(({ path }) => dirname(path)))]);
}
