// A drawing as the answer to a GET: how clients of Kroki and mermaid.ink ask for one.

import { AppError } from "millrace";
import type { Exchange } from "millrace/workload";
import { imageResponse } from "./drawing-route.ts";
import type { DrawnPayload } from "./keys.ts";
import { checkPayload, type DrawingRequest, type DrawingService, recalled, submitDrawing, waited } from "./submit.ts";

/** A client may keep a drawing for five days, as Kroki's answers say; the drawing itself is kept as any other. */
const CACHE = "max-age=432000";

export interface WantedImage {
  readonly payload: DrawnPayload;
  readonly tenant: string;
  /** Any page may read it by script, not only show it. */
  readonly isOpen?: boolean;
}

export async function drawnImage(
  surroundings: DrawingService,
  { request, traceId }: Pick<Exchange, "request" | "traceId">,
  { payload, tenant, isOpen = false }: WantedImage,
): Promise<Response> {
  const { engine, settings } = surroundings;
  checkPayload(payload, settings);
  const asked: DrawingRequest = { payload, tenant, request, traceId, nothingKept: true, waits: true };
  const { shortlink } =
    (await recalled(surroundings, asked)) ??
    (await waited(surroundings, asked, await submitDrawing(surroundings, asked)));
  const found = await engine.shared.open(shortlink);
  if (!found)
    throw new AppError("store-unavailable", "The drawing was deleted before it could be read. Send the request again.");
  return imageResponse(request, found, { link: shortlink, cacheControl: `public, ${CACHE}`, isOpen, download: false });
}
