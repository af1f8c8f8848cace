import type { RenderPayload } from "../api/render.ts";
import { teach } from "../fault/teach.ts";
import { draw, type EncodedDrawing } from "./draw.ts";
import { RenderError } from "./error.ts";

let last: Promise<unknown> = Promise.resolve();

/** Draws in this process, one diagram at a time, since the engines keep state while they draw. */
export async function drawInProcess(payload: RenderPayload, signal: AbortSignal | undefined): Promise<EncodedDrawing> {
  signal?.throwIfAborted();
  const before = last;
  const { promise, resolve } = Promise.withResolvers<void>();
  last = promise;
  try {
    await before;
    signal?.throwIfAborted();
    const drawn = await draw(payload);
    signal?.throwIfAborted();
    if (!("fault" in drawn)) return drawn;
    const { format, source } = payload;
    const { message, line, column, code = "render-failed" } = drawn.fault;
    throw new RenderError(code, message, { format, line, column, ...teach(format, source, drawn.fault) });
  } finally {
    resolve();
  }
}
