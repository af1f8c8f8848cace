import { isAbsolute, resolve } from "node:path";
import { VERSION } from "./version.js";

const NODE = "node --env-file-if-exists=.env";

/** Bun reads .env by itself. */
const SCRIPTS = {
  node: {
    dev: `${NODE} --watch src/dev.ts`,
    start: `${NODE} src/web.ts`,
    worker: `${NODE} src/worker.ts`,
    test: 'node --test "test/**/*.test.ts"',
    typecheck: "tsc",
  },
  bun: {
    dev: "bun --watch src/dev.ts",
    start: "bun src/web.ts",
    worker: "bun src/worker.ts",
    test: "bun test",
    typecheck: "tsc",
  },
};

/**
 * package.json of the new project, as text.
 * @param {string} name
 * @param {{ db: string, packageManager: string, millrace: string | undefined }} choices
 */
export function manifest(name, { db, packageManager, millrace }) {
  const runtime = packageManager === "bun" ? "bun" : "node";
  const content = {
    name,
    version: "0.0.0",
    private: true,
    type: "module",
    engines: runtime === "bun" ? { bun: ">=1.4.0" } : { node: "^22.22.3 || >=24.15.0" },
    scripts: SCRIPTS[runtime],
    dependencies: {
      millrace: millrace === undefined ? `^${VERSION}` : fromHere(millrace),
      ...(db === "postgres" && { pg: "^8.16.0" }),
      zod: "^4.2.0",
    },
    devDependencies: { "@types/node": "^24.0.0", typescript: "^7.0.0" },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** A path on the command line is relative to where the command ran, not to the new project. */
function fromHere(spec) {
  const path = spec.replace(/^file:/, "");
  const isPath = spec.startsWith("file:") || isAbsolute(path) || path.startsWith(".") || path.endsWith(".tgz");
  return isPath ? `file:${resolve(path)}` : spec;
}
