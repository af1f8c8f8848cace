// Tests use what npm brings, so that a run on a full workstation and one on a bare machine give the same result. The
// system's databases and browsers are taken off PATH, and variables that name such a server out of the environment.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const HIDDEN_PROGRAMS =
  /^(chromium|google-chrome|chrome|redis-|valkey-|pgbouncer|pgbench|postgres$|psql|initdb|pg_|createdb|dropdb|createuser|dropuser|vacuumdb|reindexdb|clusterdb|mariadb|mysql)/;
const HIDDEN_VARIABLES = /^(CHROMIUM_PATH|DATABASE_URL|TEST_DATABASE_URL|REDIS_URL|PG[A-Z]+)$/;

/**
 * An environment for tests, and how to remove what it needs. With TEST_SYSTEM=1 it is the given one.
 * @param {NodeJS.ProcessEnv} env
 */
export function hideSystem(env) {
  if (env["TEST_SYSTEM"] === "1") return { env: { ...env }, remove() {} };
  const folder = mkdtempSync(join(tmpdir(), "millrace-test-path-"));
  const shown = Object.entries(env).filter(([name]) => !HIDDEN_VARIABLES.test(name));
  const path = (env["PATH"] ?? "")
    .split(delimiter)
    .map((place, index) => withoutHidden(place, join(folder, `${index}`)));
  return {
    env: { ...Object.fromEntries(shown), PATH: path.join(delimiter) },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The folder itself, or one with links to all of its programs but the hidden ones. */
function withoutHidden(place, copy) {
  const programs = programsIn(place);
  if (!programs.some((name) => HIDDEN_PROGRAMS.test(name))) return place;
  mkdirSync(copy);
  for (const name of programs) if (!HIDDEN_PROGRAMS.test(name)) symlinkSync(join(place, name), join(copy, name));
  return copy;
}

function programsIn(place) {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}
