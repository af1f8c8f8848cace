// Diagrams without a server, a store or jobs. The engines are loaded with the first call, because this file is also loaded by
// processes that only serve the workload.

import type { Format } from "../api/formats.ts";
import { CONTENT_TYPES, type OutputType } from "../api/render.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { RenderError } from "./error.ts";
import type { Renderers, RenderersOptions, RenderOptions, RenderResult } from "./types.ts";

let shared: Renderers | undefined;

/**
 * Draws a diagram without a browser: `await render("flowchart LR; a --> b", { format: "mermaid" })`. The renderer processes are
 * shared by all calls, end after 30 s without work and do not keep the program alive. Throws a `RenderError`.
 */
export function render<F extends Format, O extends OutputType = "svg">(
  source: string,
  options: RenderOptions<F, O>,
): Promise<RenderResult<O>> {
  shared ??= createRenderers();
  return shared.render(source, options);
}

/** Ends the processes of `render` now. A later call starts new ones. */
export async function closeRenderers(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await closing?.close();
}

/** Renderer processes of your own: `await using renderers = createRenderers({ processes: 2 })`. */
export function createRenderers(options: RenderersOptions = {}): Renderers {
  const processes = new LoadedOnce(async () => new (await import("./processes.ts")).RendererProcesses(options));
  let isClosed = false;
  let isUsed = false;
  const close = async () => {
    isClosed = true;
    if (isUsed) await (await processes.get()).close();
  };
  return {
    render: async (source, request) => {
      const { payloadOf } = await import("./request.ts");
      const payload = payloadOf(source, request as RenderOptions<Format, OutputType>);
      const { isolation, timeoutMs, signal } = request;
      signal?.throwIfAborted();
      if (isClosed) throw new RenderError("renderers-closed", "These renderers were closed.");
      isUsed ||= isolation !== "none";
      const call = { ...(timeoutMs !== undefined && { timeoutMs }), signal };
      const picture =
        isolation === "none"
          ? await (await import("./in-process.ts")).drawInProcess(payload, signal)
          : await (await processes.get()).draw(payload, call);
      const isSvg = payload.outputType === "svg";
      const data = isSvg ? new TextDecoder().decode(picture.bytes) : picture.bytes;
      return { data, contentType: CONTENT_TYPES[payload.outputType], ...picture.about } as never;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
