import { readFileSync } from "node:fs";

/** From package.json, which lies two folders up from here in the repository and in the published package alike. */
export function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}
