// The main module of a renderer process of the library.

import { preferChromium } from "millrace/chromium";
import { type Context, handedDown } from "millrace/processor";
import type { RenderPayload } from "../api/render.ts";
import { sharedChromium } from "../chromium/chromium.ts";
import { engineOf } from "../engines.ts";
import { failureOf } from "../service/finish.ts";
import { draw, type EncodedDrawing } from "./draw.ts";

export type RendererAnswer = EncodedDrawing["about"];

preferChromium(handedDown("CHROMIUM_PATH") || undefined);

const warm = new Map<string, Promise<void>>();

/** Loading an engine, or starting a browser, is no fault of the diagram that comes first. */
export async function prepare({ format, options }: RenderPayload): Promise<void> {
  const inBrowser = options?.engine === "chromium";
  if (inBrowser) await sharedChromium();
  if (inBrowser && format === "mermaid") return;
  const warming = warm.get(format) ?? engineOf(format).then((engine) => engine.warmUp());
  warm.set(format, warming);
  warming.catch(() => warm.delete(format));
  await warming;
}

export default async function render(ctx: Context, payload: RenderPayload): Promise<RendererAnswer> {
  const drawn = await draw(payload);
  if ("fault" in drawn) throw failureOf(drawn.fault);
  await ctx.artifact("drawing", drawn.bytes);
  return drawn.about;
}
