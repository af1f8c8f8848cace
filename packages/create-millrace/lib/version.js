import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** create-millrace and millrace are released together, so this is also the version of Millrace in a new project. */
export const VERSION = manifest.version;
