// What drawings depend on beside their source: the engines, the fonts and our own code. All of it is part of the key under
// which a drawing is kept, so none is kept past its time. The runtime is not: both draw the same bytes.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { entryOf, FORMATS, type Format } from "../api/formats.ts";
import { packageFolder } from "../package-folder.ts";
import { libraryVersion } from "../plantuml/library.ts";
import { findFonts } from "../text/fonts.ts";

const PNG_PACKAGE = "@resvg/resvg-js";

const versions = new Map<string, string | undefined>();

/** Of the packages that draw the format; undefined where one is not installed. Every key asks, and the files are read once. */
export function engineVersion(format: Format | "png"): string | undefined {
  if (!versions.has(format)) {
    const found = (format === "png" ? [PNG_PACKAGE] : entryOf(format).packages).map(versionOf);
    const stdlib = format === "plantuml" ? libraryVersion() : "";
    versions.set(format, found.includes(undefined) ? undefined : [...found, stdlib].join(" ").trim());
  }
  return versions.get(format);
}

/**
 * At the start, while files can be opened: the runtime remembers a package that it could not find, also when it only had no
 * descriptor left to look with, and every drawing would fail until a restart.
 */
export function lookUpVersions(): void {
  try {
    for (const format of [...FORMATS, "png"] as const) engineVersion(format);
    ownVersion();
  } catch {
    // The fonts are not installed, or cannot be read just now. The first drawing looks again and says so.
  }
}

/** What drawings of several formats or kinds draw on, beside the engine itself. An absent pack draws no icons. */
const EXTRAS = [
  // Draws Mermaid's `zenuml`, where it is installed.
  "@zenuml/core",
  ...["css-tree", "mathjax", "@mermaid-js/layout-tidy-tree", "@iconify-json/logos", "@iconify-json/fa6-solid"],
  ...["@iconify-json/fa6-brands", "@iconify-json/fa6-regular", "@iconify-json/fa-solid", "@iconify-json/fa"],
];

let drawn: { fonts: string; code: string } | undefined;

/** Of all that is ours: fonts and code. */
export function ownVersion(): { fonts: string; code: string } {
  drawn ??= {
    fonts: `${findFonts().version} ${versionOf("harfbuzzjs") ?? ""}`,
    code: [codeVersion(), ...EXTRAS.map((name) => versionOf(name) ?? ""), ...addedIconPacks()].join(" "),
  };
  return drawn;
}

/** A hash over the files that draw: a number in the code would be forgotten one day. */
function codeVersion(): string {
  const hash = createHash("sha256");
  const folder = fileURLToPath(new URL("..", import.meta.url));
  for (const file of filesIn(folder)) hash.update(file.slice(folder.length)).update(readFileSync(file));
  return hash.digest("base64url").slice(0, 16);
}

/** Folders whose code changes no drawing. */
const NOT_DRAWING = new Set(["service", "library", "cli", "pages", "markdown", "fault"]);

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return NOT_DRAWING.has(entry.name) ? [] : filesIn(join(folder, entry.name));
    return /\.[jt]s$/.test(entry.name) && !/\.(test|d)\.[jt]s$/.test(entry.name) ? [join(folder, entry.name)] : [];
  });
}

/** Icon packs that the application has installed. */
function addedIconPacks(): string[] {
  const folder = packageFolder(EXTRAS.at(-1) ?? "")?.path;
  if (folder === undefined) return [];
  const names = readdirSync(dirname(folder)).map((name) => `@iconify-json/${name}`);
  return names
    .filter((name) => !EXTRAS.includes(name))
    .sort()
    .map((name) => `${name}@${versionOf(name)}`);
}

function versionOf(name: string): string | undefined {
  return packageFolder(name)?.version;
}
