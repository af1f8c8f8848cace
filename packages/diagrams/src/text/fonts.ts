// The fonts we measure and draw with. Arimo has the widths of Arial (and so of Helvetica and Liberation Sans), Cousine those
// of Courier New: a drawing measured with them fits wherever a reader has any of these, without a font inside the file.
// For the world's other scripts the package brings its own files (scripts/fonts.js makes them), and more can be added.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FontFolder, readFontFolder } from "../fonts/folder.ts";
import { packageFolder } from "../package-folder.ts";

export interface FontFile {
  readonly family: string;
  readonly weight: number;
  readonly italic: boolean;
  readonly path: string;
  /** Its letters as ranges, where they are known without a look into the file. */
  readonly covers?: string;
}

interface FontPackage {
  readonly family: string;
  readonly package: string;
  readonly role: "sans" | "mono" | "fallback" | "emoji" | "other";
  /** Where the files are, when not one folder per style. */
  readonly files?: readonly (readonly [weight: number, italic: boolean, file: string])[];
}

const PACKAGES: readonly FontPackage[] = [
  { family: "Arimo", package: "@expo-google-fonts/arimo", role: "sans" },
  { family: "Cousine", package: "@expo-google-fonts/cousine", role: "mono" },
  // Whole fonts, for signs too rare for ours. Who has these packages need not add them.
  { family: "Noto Sans SC (full)", package: "@expo-google-fonts/noto-sans-sc", role: "fallback" },
  { family: "Noto Sans TC (full)", package: "@expo-google-fonts/noto-sans-tc", role: "fallback" },
  { family: "Noto Sans JP (full)", package: "@expo-google-fonts/noto-sans-jp", role: "fallback" },
  { family: "Noto Sans KR (full)", package: "@expo-google-fonts/noto-sans-kr", role: "fallback" },
  { family: "Noto Emoji", package: "@expo-google-fonts/noto-emoji", role: "emoji" },
  {
    // What D2 measures with.
    family: "Source Sans Pro",
    package: "source-sans-pro",
    role: "other",
    files: [
      [400, false, "TTF/SourceSansPro-Regular.ttf"],
      [400, true, "TTF/SourceSansPro-It.ttf"],
      [600, false, "TTF/SourceSansPro-Semibold.ttf"],
      [700, false, "TTF/SourceSansPro-Bold.ttf"],
    ],
  },
  {
    family: "DejaVu Sans",
    package: "dejavu-fonts-ttf",
    role: "fallback",
    files: [
      [400, false, "ttf/DejaVuSans.ttf"],
      [400, true, "ttf/DejaVuSans-Oblique.ttf"],
      [700, false, "ttf/DejaVuSans-Bold.ttf"],
      [700, true, "ttf/DejaVuSans-BoldOblique.ttf"],
    ],
  },
];

const NEEDED = ["Arimo", "Cousine"];

export interface Fonts {
  readonly files: readonly FontFile[];
  readonly sans: string;
  readonly mono: string;
  /** Families asked in turn for what the first one lacks. */
  readonly fallbacks: readonly string[];
  readonly emoji: string | undefined;
  /** Names the set of fonts: part of the key under which a drawing is kept. */
  readonly version: string;
}

let found: Fonts | undefined;

export function findFonts(): Fonts {
  found ??= look();
  return found;
}

function look(): Fonts {
  const installed = PACKAGES.flatMap((each) => {
    const folder = packageFolder(each.package);
    const files = folder === undefined ? [] : filesOf(each, folder.path);
    return folder === undefined || files.length === 0 ? [] : [{ ...each, files, version: folder.version }];
  });
  for (const family of NEEDED) {
    if (!installed.some((each) => each.family === family))
      throw new Error(`The font "${family}" is not installed. Run: npm install ${packageOf(family)}`);
  }
  const folders = [addedFonts(), worldFonts()].filter((folder) => folder !== undefined);
  const files = [...installed.flatMap((each) => each.files), ...folders.flatMap((folder) => folder.files)];
  const fallbacks = [
    ...folders.flatMap((folder) => folder.files.map(({ family }) => family)),
    ...installed.filter(({ role }) => role === "fallback").map(({ family }) => family),
  ];
  return {
    files,
    sans: "Arimo",
    mono: "Cousine",
    fallbacks: [...new Set(fallbacks)],
    emoji: installed.find(({ role }) => role === "emoji")?.family,
    version: [
      ...installed.map((each) => `${each.family}@${each.version}`),
      ...folders.map(({ version }) => version),
    ].join(","),
  };
}

/** The files that come with this package. */
function worldFonts(): FontFolder | undefined {
  return readFontFolder(fileURLToPath(new URL("../../fonts", import.meta.url)));
}

/** A renderer gets the folder by its environment. */
export const FONTS_VARIABLE = "RENDER_FONTS";

/** Fonts that were added by `millrace fonts add`. */
function addedFonts(): FontFolder | undefined {
  const folder = addedFolder ?? process.env[FONTS_VARIABLE];
  return folder === undefined || folder === "" ? undefined : readFontFolder(folder);
}

let addedFolder: string | undefined;

/** Before the first drawing of this process. */
export function useAddedFonts(folder: string | undefined): void {
  if (folder === addedFolder) return;
  addedFolder = folder;
  found = undefined;
}

function filesOf({ package: name, family, files }: FontPackage, folder: string): FontFile[] {
  if (files !== undefined)
    return files
      .map(([weight, italic, file]) => ({ family, weight, italic, path: join(folder, file) }))
      .filter(({ path }) => existsSync(path));
  return readdirSync(folder).flatMap((style) => {
    const [, weight, italic] = /^(400|500|600|700)[A-Za-z]+(_Italic)?$/.exec(style) ?? [];
    const path = join(folder, style, `${fileStem(name)}_${style}.ttf`);
    return weight !== undefined && existsSync(path)
      ? [{ family, weight: Number(weight), italic: italic !== undefined, path }]
      : [];
  });
}

/** `NotoSansSC` of `@expo-google-fonts/noto-sans-sc`. */
function fileStem(name: string): string {
  const words = name.slice(name.indexOf("/") + 1).split("-");
  return words
    .map((word) => (word.length === 2 ? word.toUpperCase() : word[0]?.toUpperCase() + word.slice(1)))
    .join("");
}

function packageOf(family: string): string {
  return PACKAGES.find((each) => each.family === family)?.package ?? family;
}
