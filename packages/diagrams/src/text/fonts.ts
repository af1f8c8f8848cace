// The fonts we measure and draw with. Arimo has the widths of Arial (and so of Helvetica and Liberation Sans), Cousine those
// of Courier New: a drawing measured with them fits wherever a reader has any of these, without a font inside the file.
// Fonts for further scripts are used when their package is installed.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../package-folder.ts";

export interface FontFile {
  readonly family: string;
  readonly weight: number;
  readonly italic: boolean;
  readonly path: string;
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
  { family: "Noto Sans Arabic", package: "@expo-google-fonts/noto-sans-arabic", role: "fallback" },
  { family: "Noto Sans Hebrew", package: "@expo-google-fonts/noto-sans-hebrew", role: "fallback" },
  { family: "Noto Sans Devanagari", package: "@expo-google-fonts/noto-sans-devanagari", role: "fallback" },
  { family: "Noto Sans Thai", package: "@expo-google-fonts/noto-sans-thai", role: "fallback" },
  { family: "Noto Sans JP", package: "@expo-google-fonts/noto-sans-jp", role: "fallback" },
  { family: "Noto Sans SC", package: "@expo-google-fonts/noto-sans-sc", role: "fallback" },
  { family: "Noto Sans TC", package: "@expo-google-fonts/noto-sans-tc", role: "fallback" },
  { family: "Noto Sans KR", package: "@expo-google-fonts/noto-sans-kr", role: "fallback" },
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
  return {
    files: installed.flatMap(({ files }) => files),
    sans: "Arimo",
    mono: "Cousine",
    fallbacks: installed.filter(({ role }) => role === "fallback").map(({ family }) => family),
    emoji: installed.find(({ role }) => role === "emoji")?.family,
    version: installed.map((each) => `${each.family}@${each.version}`).join(","),
  };
}

function filesOf({ family, files }: FontPackage, folder: string): FontFile[] {
  if (files !== undefined)
    return files
      .map(([weight, italic, file]) => ({ family, weight, italic, path: join(folder, file) }))
      .filter(({ path }) => existsSync(path));
  return readdirSync(folder).flatMap((style) => {
    const [, weight, italic] = /^(400|500|600|700)[A-Za-z]+(_Italic)?$/.exec(style) ?? [];
    const path = join(folder, style, `${family.replaceAll(" ", "")}_${style}.ttf`);
    return weight !== undefined && existsSync(path)
      ? [{ family, weight: Number(weight), italic: italic !== undefined, path }]
      : [];
  });
}

function packageOf(family: string): string {
  return PACKAGES.find((each) => each.family === family)?.package ?? family;
}
