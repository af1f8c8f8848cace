// `@opentelemetry/api` is an optional peer: the program's own copy is used, since two copies of different versions do not see
// each other's SDK. It is loaded when an SDK has registered itself, and not by a top-level await, which would keep CommonJS
// programs from requiring this library.

import { createRequire } from "node:module";

export type OtelApi = typeof import("@opentelemetry/api");

/** Where every 1.x version of the API keeps what is registered. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

let loaded: OtelApi | undefined;
let hasTried = false;

/** The API, while an SDK is registered that it reaches. Without one this looks at one global and no more. */
export function registeredApi(): OtelApi | undefined {
  const registered = (globalThis as { [REGISTERED]?: { version?: string; trace?: unknown } })[REGISTERED];
  if (registered?.trace === undefined) return undefined;
  if (!hasTried) {
    hasTried = true;
    loaded = load(registered.version);
  }
  return loaded;
}

function load(version: string | undefined): OtelApi | undefined {
  const require = createRequire(import.meta.url);
  try {
    const api = require("@opentelemetry/api") as OtelApi;
    const provider = api.trace.getTracerProvider();
    const unset = new api.ProxyTracerProvider().getDelegate();
    const isReached = !(provider instanceof api.ProxyTracerProvider) || provider.getDelegate() !== unset;
    if (isReached) return api;
    const { version: own } = require("@opentelemetry/api/package.json") as { version: string };
    warn(
      `The OpenTelemetry SDK registered itself with @opentelemetry/api ${version}; Millrace found ${own}. Install one version.`,
    );
  } catch {
    warn(
      "An OpenTelemetry SDK is registered, but Millrace cannot load @opentelemetry/api. Install it beside millrace.",
    );
  }
  return undefined;
}

/** Without this warning, missing traces would cost hours of search. */
function warn(message: string): void {
  process.emitWarning(message, { type: "MillraceWarning", code: "MILLRACE_OTEL" });
}
