/** Folders with font files, and the families to use where a page names none. */
export interface PageFonts {
  /** Folders with font files. */
  readonly folders: readonly string[];
  /** The family for `sans-serif`. */
  readonly sans: string;
  /** The family for `monospace`. */
  readonly mono: string;
}

/**
 * A fontconfig file with the system's fonts and these behind them. A small container has no fonts and would print empty
 * pages.
 */
export function fontConfigWithSystem(cache: string, fonts: PageFonts | undefined): string {
  const system = `<include ignore_missing="yes">/etc/fonts/fonts.conf</include>`;
  if (fonts === undefined) return fontConfigFile(system);
  const behind = (from: string, to: string) =>
    `<alias><family>${from}</family><default><family>${to}</family></default></alias>`;
  return fontConfigFile(`${system}
${fontFolders(fonts.folders)}
<cachedir>${cache}/fontcache</cachedir>
${behind("sans-serif", fonts.sans)}
${behind("system-ui", fonts.sans)}
${behind("monospace", fonts.mono)}`);
}

/** The elements of a fontconfig file that name folders. */
export function fontFolders(folders: readonly string[]): string {
  return folders.map((folder) => `<dir>${folder}</dir>`).join("\n");
}

/** A fontconfig file with this content. */
export function fontConfigFile(content: string): string {
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>\n${content}\n</fontconfig>`;
}
