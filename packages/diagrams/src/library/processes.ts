// Renderer processes: confined ones, and for diagrams that ask for a browser one that is not, since a confined process can start
// no program.

import { availableParallelism } from "node:os";
import { AppError, JobFailure, type PoolCallOptions, ProcessPool, packageFile } from "millrace/isolated";
import type { RenderPayload } from "../api/render.ts";
import { teach } from "../fault/teach.ts";
import { MEMORY_MB, rendererEnv, WORN_OUT } from "../renderer-limits.ts";
import type { EncodedDrawing } from "./draw.ts";
import { RenderError, type RenderErrorCode } from "./error.ts";
import type { RendererAnswer } from "./renderer.ts";
import type { RenderersOptions } from "./types.ts";

const RENDERER = {
  package: "@millrace/diagrams",
  here: import.meta.url,
  near: "./renderer.ts",
  path: "library/renderer.ts",
};
const TIMEOUT_MS = 10_000;
const MOST_PROCESSES = 4;

export class RendererProcesses {
  readonly #options: RenderersOptions;
  #confined: ProcessPool | undefined;
  #withBrowser: ProcessPool | undefined;

  constructor(options: RenderersOptions) {
    this.#options = options;
  }

  async draw(payload: RenderPayload, { timeoutMs, signal }: PoolCallOptions): Promise<EncodedDrawing> {
    const limitMs = timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    try {
      const pool = payload.options?.engine === "chromium" ? this.#browserPool() : this.#confinedPool();
      const { result, artifacts } = await pool.run(payload, { timeoutMs: limitMs, signal });
      return { bytes: artifacts[0]?.bytes as Uint8Array, about: result as RendererAnswer };
    } catch (error) {
      throw signal?.aborted && error === signal.reason ? error : renderError(error, payload, limitMs);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#confined?.close(), this.#withBrowser?.close()]);
  }

  #confinedPool(): ProcessPool {
    const { processes = Math.min(MOST_PROCESSES, availableParallelism()) } = this.#options;
    this.#confined ??= new ProcessPool({ ...this.#common(), processes, confined: true });
    return this.#confined;
  }

  /** One at a time, since there is one page. */
  #browserPool(): ProcessPool {
    const { chromiumPath } = this.#options;
    const common = this.#common();
    this.#withBrowser ??= new ProcessPool({
      ...common,
      processes: 1,
      env: { ...common.env, ...(chromiumPath !== undefined && { CHROMIUM_PATH: chromiumPath }) },
    });
    return this.#withBrowser;
  }

  #common() {
    const { idleMs, ...folders } = this.#options;
    return {
      module: packageFile(RENDERER),
      memoryMb: MEMORY_MB,
      recycle: WORN_OUT,
      env: rendererEnv(folders),
      ...(idleMs !== undefined && { idleMs }),
    };
  }
}

const CODES: Readonly<Record<string, RenderErrorCode>> = {
  "render-failed": "render-failed",
  "include-missing": "include-missing",
  "timed-out": "render-timeout",
  "out-of-memory": "out-of-memory",
  crashed: "crashed",
  "processor-broken": "renderer-broken",
  bundled: "renderer-broken",
  "pool-closed": "renderers-closed",
  "invalid-request": "invalid-request",
};

function renderError(error: unknown, { format, source }: RenderPayload, limitMs: number): unknown {
  if (error instanceof RenderError || !(error instanceof JobFailure || error instanceof AppError)) return error;
  const { line, column } = error instanceof JobFailure ? error.options : {};
  const code = CODES[error.code] ?? "renderer-failed";
  const elsewhere =
    code === "renderer-broken" ? ['If child processes cannot be started here, use isolation: "none".'] : [];
  const hint = [...("hint" in error && error.hint !== undefined ? [error.hint] : []), ...elsewhere].join(" ");
  const message = code === "render-timeout" ? `Render timed out after ${limitMs} ms` : error.message;
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const taught =
    code === "render-failed" || code === "include-missing" ? teach(format, source, { message, ...place }) : {};
  return new RenderError(code, message, { format, ...place, ...taught, ...(hint !== "" && { hint }), cause: error });
}
