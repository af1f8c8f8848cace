import { AppError } from "../lib/app-error.ts";
import { refuse, unknownHint, unknownNames } from "../lib/options/check.ts";
import { anyText, callable, isObject, type Option, other } from "../lib/options/option.ts";
import { VERSION } from "../lib/runtime/version.ts";
import type { HandlerAuth } from "./auth/host-auth.ts";
import { dashboardPages } from "./dashboard.ts";
import type { Engine } from "./engine.ts";
import { createApi } from "./server.ts";
import type { ServedWorkloads } from "./workloads.ts";

/** Options of `createHandler()`. */
export interface HandlerOptions {
  /** The path below which the handler is mounted, such as `/millrace`. Default: `""`, the root. */
  readonly basePath?: string;
  /** Says who sends a request. It is called for every request, including the dashboard's files. */
  readonly auth: HandlerAuth;
  /**
   * Signs tokens that read one job, for browsers (`POST /jobs/{jobId}/tokens`): at least 32 random characters, the same on
   * every server. A new secret ends all tokens. Default: no tokens.
   */
  readonly tokenSecret?: string;
  /** Routes and pages of workloads: what `openWorkloads()` of `millrace/workload` resolved to. */
  readonly workloads?: MountedWorkloads;
}

/** Workloads of an application, as `openWorkloads()` opens them. */
export interface MountedWorkloads extends ServedWorkloads {
  /** Called before the first request is answered. */
  start?(engine: Engine): Promise<void>;
}

/** Answers requests to the API and the dashboard. */
export interface Handler {
  (request: Request): Promise<Response>;
  /** Ends live connections and requests that wait for a job. `millrace.stop()` does this too. */
  close(): void;
}

/**
 * The API and the dashboard of an engine as one Fetch handler, to be mounted in your own application.
 *
 * @example
 * ```ts
 * import { Millrace, sqlite } from "millrace";
 * import { createHandler } from "millrace/http";
 *
 * const millrace = await Millrace.open({ store: sqlite("./data/jobs.db") });
 * const handler = createHandler(millrace, {
 *   basePath: "/millrace",
 *   auth: (request) =>
 *     request.headers.get("authorization") === "Bearer secret"
 *       ? { name: "ada", tenant: "*", scopes: ["admin"] }
 *       : undefined,
 * });
 * const answer = await handler(
 *   new Request("http://app.example.com/millrace/health", { headers: { authorization: "Bearer secret" } }),
 * );
 * console.log(answer.status);
 * await millrace.stop();
 * ```
 */
export function createHandler(millrace: Engine, options: HandlerOptions): Handler {
  checkEngine(millrace);
  const { auth, basePath, workloads, tokenSecret } = checked(options);
  const started = workloads.start?.(millrace) ?? Promise.resolve();
  const api = started.then(() =>
    createApi({
      engine: millrace,
      auth,
      ...(tokenSecret !== undefined && { tokenSecret }),
      basePath,
      // The application serves whatever names it likes. Requests that change something and come from other sites are refused.
      site: { loopbackOnly: false, corsOrigins: [] },
      version: VERSION,
      log: millrace.log,
      pages: dashboardPages({ basePath, hasKeys: false, version: VERSION }),
      keepsHistory: true,
      workloads,
    }),
  );
  // A failure is the answer to every request. It must not end the process when there is no request.
  api.catch(() => {});
  const close = () => {
    millrace.stopping.removeEventListener("abort", close);
    void api.then((ready) => ready.close()).catch(() => {});
  };
  millrace.stopping.addEventListener("abort", close, { once: true });
  const handle = async (request: Request) => (await api).fetch(request, { address: undefined });
  return Object.assign(handle, { close });
}

function checkEngine(millrace: unknown): void {
  if (typeof (millrace as Engine | undefined)?.submitRequests === "function") return;
  const isPromise = millrace instanceof Promise;
  throw new AppError("options-invalid", "createHandler() needs a Millrace as its first argument.", {
    hint: isPromise ? "Add an await before Millrace.open()." : "Pass the engine that Millrace.open() returned.",
  });
}

const OPTIONS = {
  basePath: anyText(),
  auth: callable<HandlerAuth>(),
  tokenSecret: anyText(),
  workloads: other<MountedWorkloads>("what openWorkloads() returned", isObject),
} satisfies Record<keyof HandlerOptions, Option>;
const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;

const LEAST_SECRET_CHARS = 32;

type CheckedOptions = Required<Omit<HandlerOptions, "tokenSecret">> & Pick<HandlerOptions, "tokenSecret">;

function checked(options: HandlerOptions | undefined): CheckedOptions {
  const given = options ?? {};
  refuse("invalid-request", unknownNames("createHandler()", OPTIONS, given), unknownHint(OPTIONS, given));
  const { auth, basePath = "", workloads = {}, tokenSecret } = given as Partial<HandlerOptions>;
  if (auth === undefined || !OPTIONS.auth.accepts(auth)) {
    throw new AppError("options-invalid", "createHandler() needs the option auth, a function.", {
      hint: 'auth: (request) => isAdmin(request) ? { name: "ada", tenant: "*", scopes: ["admin"] } : undefined',
    });
  }
  if (tokenSecret !== undefined && (typeof tokenSecret !== "string" || tokenSecret.length < LEAST_SECRET_CHARS)) {
    throw new AppError("options-invalid", `tokenSecret must be a string of ${LEAST_SECRET_CHARS} characters or more.`);
  }
  const path = basePath === "/" ? "" : basePath;
  if (path !== "" && !BASE_PATH.test(path)) {
    throw new AppError("options-invalid", `Invalid basePath ${JSON.stringify(basePath)}.`, {
      hint: 'It must start with a slash and must not end with one: "/millrace".',
    });
  }
  if (!OPTIONS.workloads.accepts(workloads)) {
    throw new AppError("options-invalid", "The option workloads of createHandler() must come from openWorkloads().", {
      hint: 'import { openWorkloads } from "millrace/workload"; workloads: await openWorkloads([myWorkload])',
    });
  }
  return { auth, basePath: path, workloads, ...(tokenSecret !== undefined && { tokenSecret }) };
}
