// Attacks that once went through, put back one at a time.

import type { Mutant } from "./list.ts";

const ENGINE = "packages/millrace/src";
const STORE = `${ENGINE}/store`;
const HOSTILE = "test/http/hostile";

export const ATTACK_MUTANTS: readonly Mutant[] = [
  {
    bug: "a sitemap nests without a bound",
    file: "packages/sites/src/crawl/sitemap.ts",
    from: "const MAX_DEPTH = 32;",
    to: "const MAX_DEPTH = 1_000_000_000;",
    caughtBy: "packages/sites/src/reading/hostile.test.ts",
    only: "open tags, then foreign end tags",
  },
  {
    bug: "a connection on Bun that has sent one request is never closed",
    file: `${ENGINE}/runtime/serve-bun.ts`,
    from: "server.timeout(request, idleSeconds);\n      return",
    to: "return",
    caughtBy: "test/flow/serve-limits.test.ts",
    only: "stays silent after its answer",
  },
  {
    bug: "one address may hold every connection",
    file: `${ENGINE}/runtime/peers-bun.ts`,
    from: "if (excess.length === 0) return;",
    to: "return;",
    caughtBy: `${HOSTILE}/connections.test.ts`,
    only: "a trusted proxy has as many connections",
  },
  {
    bug: "what could not be looked up for want of descriptors counts as not installed",
    file: "packages/diagrams/src/package-folder.ts",
    from: "for (const root of createRequire(import.meta.url).resolve.paths(name) ?? []) {",
    to: `try {
    createRequire(import.meta.url).resolve(name + "/package.json");
  } catch {
    return undefined;
  }
  for (const root of createRequire(import.meta.url).resolve.paths(name) ?? []) {`,
    caughtBy: "packages/diagrams/test/descriptors.test.ts",
  },
  {
    bug: "a stylesheet may load from anywhere",
    file: "packages/diagrams/src/css/value.ts",
    from: "return FRAGMENT.test(node.value);",
    to: "return true;",
    caughtBy: "packages/diagrams/src/sanitise.test.ts",
  },
  {
    bug: "control characters reach the SVG",
    file: "packages/diagrams/src/svg/xml.ts",
    from: 'return text.replace(UNWRITABLE, "\\ufffd");',
    to: "return text.slice(UNWRITABLE.lastIndex);",
    caughtBy: "packages/diagrams/src/sanitise.test.ts",
    only: "writes no control character",
  },
  {
    bug: "a stylesheet addresses what is outside of the drawing",
    file: "packages/diagrams/src/css/selector.ts",
    from: `return isScoped(selector, scope) ? text : \`\${scope.prefix} \${text}\`;`,
    to: "return scope ? text : text;",
    caughtBy: "packages/diagrams/src/sanitise.test.ts",
    only: "address its own drawing",
  },
  {
    bug: "one tenant's searches hold up all others",
    file: `${STORE}/thread/turns.ts`,
    from: "let lane = this.#lanes.get(turn.lane);",
    to: "let lane = [...this.#lanes.values()][0];",
    caughtBy: `${STORE}/thread/turns.test.ts`,
  },
  {
    bug: "a tenant's administrator pauses a kind of all tenants",
    file: `${ENGINE}/api/kinds.ts`,
    from: 'summary: "Pause a kind: none of its jobs starts.",\n    access: "root",',
    to: 'summary: "Pause a kind: none of its jobs starts.",\n    access: "admin",',
    caughtBy: "test/http/matrix.test.ts",
    only: "POST /kinds/{kind}/pause",
  },
  {
    bug: "misses count for the proxy, not for its client",
    file: `${ENGINE}/http/auth/client-address.ts`,
    from: "client = address;",
    to: "",
    caughtBy: `${ENGINE}/http/auth/client-address.test.ts`,
  },
  {
    bug: "wrong keys by header are not counted",
    file: `${ENGINE}/http/auth/auth.ts`,
    from: "misses.count(network, ...(keyId",
    to: "if (keyId === null) misses.count(network, ...(keyId",
    caughtBy: `${HOSTILE}/misses.test.ts`,
    only: "answered 429 after 20 a minute",
  },
  {
    bug: "a file that was deleted under the server is not noticed",
    file: `${STORE}/sqlite/connection/own-files.ts`,
    from: "return found !== undefined && found.dev === dev && found.ino === ino;",
    to: "return found === undefined || dev === dev || ino === ino;",
    caughtBy: `${STORE}/sqlite/connection/own-files.test.ts`,
    only: "is noticed",
  },
  {
    bug: "the store's file can be read by every user",
    file: `${STORE}/sqlite/connection/file-mode.ts`,
    from: '"wx", 0o600',
    to: '"wx", 0o644',
    caughtBy: `${STORE}/sqlite/connection/own-files.test.ts`,
    only: "are created for their owner alone",
  },
  {
    bug: "a renderer that starts slowly makes the server unhealthy",
    file: `${ENGINE}/engine/health.ts`,
    from: 'const problems = [...(pools?.problems() ?? []), ...sentences("error")];',
    to: 'const problems = [...(pools?.problems() ?? []), ...(pools?.delays() ?? []), ...sentences("error")];',
    caughtBy: `${ENGINE}/engine/health.test.ts`,
  },
  {
    bug: "a stopping server resets busy connections",
    file: `${ENGINE}/runtime/drain.ts`,
    from: 'if (this.#stopping) response.headers.set("connection", "close");',
    to: "",
    caughtBy: `${ENGINE}/runtime/serve.test.ts`,
    only: "resets no request of a busy connection",
  },
  {
    bug: "a tenant has as many schedules as it likes",
    file: `${STORE}/sqlite/control/schedules.ts`,
    from: "if (isNew && most > 0 && count >= most) return false;",
    to: "if (isNew && most < 0 && count >= most) return false;",
    caughtBy: "test/http/schedules.test.ts",
    only: "as many schedules as it may",
  },
  {
    bug: "signing out leaves the session in the store",
    file: `${ENGINE}/http/auth/session.ts`,
    from: "await this.#store.endSession(hashOf(id));",
    to: "",
    caughtBy: "test/http/access.test.ts",
    only: "signing out ends it in all of them",
  },
  {
    bug: "over TLS a cookie that is not bound to the host is believed",
    file: `${ENGINE}/http/auth/session.ts`,
    from: "isSecure(request) ? bound :",
    to: "false ? bound :",
    caughtBy: "test/http/access.test.ts",
    only: "behind TLS is bound to the host",
  },
  {
    bug: "a tenant reads stacks and paths of the server",
    file: `${ENGINE}/http/redact.ts`,
    from: "export function attemptFor(caller: Caller, attempt: AttemptView): AttemptView {\n  if (caller.root) return attempt;",
    to: "export function attemptFor(caller: Caller, attempt: AttemptView): AttemptView {\n  if (caller) return attempt;",
    caughtBy: "test/http/tenants.test.ts",
    only: "gets neither stacks nor paths",
  },
  {
    bug: "a write-ahead log that grows without end is not named",
    file: `${STORE}/sqlite/connection/conditions.ts`,
    from: "if (!this.#walIsLarge) return [];",
    to: "if (this.#walIsLarge !== undefined) return [];",
    caughtBy: `${STORE}/sqlite/connection/wal.test.ts`,
  },
  {
    bug: "a body of 80,000 keys is parsed",
    file: `${ENGINE}/http/request/read-body.ts`,
    from: "if (mostKeysOfOne > MAX_KEYS_OF_ONE)",
    to: "if (keys > 1e9 && mostKeysOfOne > MAX_KEYS_OF_ONE)",
    caughtBy: `${HOSTILE}/bad-input.test.ts`,
    only: "of 80,000 keys",
  },
];
