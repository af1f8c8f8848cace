import { type BoundRoute, bind, type Exchange, oneTenant, readJson, readText } from "millrace/workload";
import { FORMATS } from "../../api/formats.ts";
import { krokiRoutes } from "../../api/kroki.ts";
import type { DrawLimit } from "../draw-limit.ts";
import { drawnImage } from "../image.ts";
import type { DrawingService } from "../submit.ts";
import { engineVersion } from "../versions.ts";
import { krokiErrorResponse } from "./error.ts";
import { headerOptions } from "./options.ts";
import { decodeSource, KrokiError, type KrokiRequest, payloadOf } from "./source.ts";

/** By all the names that Kroki's own has. */
const HEALTH = [krokiRoutes.health, krokiRoutes.healthV1, krokiRoutes.healthz];

export function krokiHandlers(surroundings: DrawingService, limit: DrawLimit): BoundRoute[] {
  const { maxChars } = surroundings.settings;
  const answer = answering(surroundings, limit);
  return [
    ...HEALTH.map((route) => bind(route, async () => health())),
    bind(
      krokiRoutes.get,
      answer(async ({ params, query, request }) => {
        const source = decodeSource(params.encoded, maxChars);
        return { ...params, source, options: { ...query, ...headerOptions(request.headers) } };
      }),
    ),
    bind(
      krokiRoutes.post,
      answer(async ({ request, query }) => fromJson(jsonIn(await readText(request)), {}, query, request)),
    ),
    bind(
      krokiRoutes.postType,
      answer(({ params, query, request }) => fromBody(params, query, request)),
    ),
    bind(
      krokiRoutes.postFormat,
      answer(({ params, query, request }) => fromBody(params, query, request)),
    ),
  ];
}

type Query = Record<string, string>;

/** From what is asked to a drawing, or to an error in the client's own form. */
function answering(surroundings: DrawingService, limit: DrawLimit) {
  return <Params>(read: (exchange: Exchange<Params, Query, undefined>) => Promise<KrokiRequest>) =>
    async (exchange: Exchange<Params, Query, undefined>): Promise<Response> => {
      const tenant = oneTenant(exchange.caller);
      let format = (exchange.params as { format?: string } | undefined)?.format;
      try {
        limit.count(exchange.caller);
        const wanted = await read(exchange);
        format = wanted.format;
        return await drawnImage(surroundings, exchange, { payload: payloadOf(wanted, surroundings.settings), tenant });
      } catch (error) {
        const { signal, headers } = exchange.request;
        const wishes = { accept: headers.get("accept"), format };
        const response = signal.aborted ? undefined : await krokiErrorResponse(error, wishes);
        if (response === undefined) throw error;
        return response;
      }
    };
}

/** The source as it is, or in JSON beside its options. */
async function fromBody(
  address: { type: string; format?: string },
  query: Query,
  request: Request,
): Promise<KrokiRequest> {
  const isJson = /^application\/json\b/i.test(request.headers.get("content-type") ?? "");
  if (isJson) return fromJson(await readJson(request), address, query, request);
  const options = { ...query, ...headerOptions(request.headers) };
  const { type, format = acceptedFormat(request.headers.get("accept")) } = address;
  return { type, format, source: await readText(request), options };
}

/** Kroki reads JSON at its root whatever the content type says. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KrokiError(400, "The body must be JSON with diagram_source, diagram_type and output_format.");
  }
}

function fromJson(
  body: unknown,
  address: { type?: string; format?: string },
  query: Query,
  request: Request,
): KrokiRequest {
  const given = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const source = given["diagram_source"];
  const type = address.type ?? given["diagram_type"];
  const format = address.format ?? given["output_format"] ?? acceptedFormat(request.headers.get("accept"));
  if (typeof source !== "string") throw new KrokiError(400, "diagram_source is missing.");
  if (typeof type !== "string") throw new KrokiError(400, "diagram_type is missing.");
  if (typeof format !== "string") throw new KrokiError(400, "output_format must be a string.");
  const own = given["diagram_options"];
  const options = { ...query, ...headerOptions(request.headers), ...(typeof own === "object" ? own : {}) };
  return { type, format, source, options };
}

function acceptedFormat(accept: string | null): string {
  const wishes = (accept ?? "").toLowerCase();
  if (/image\/svg/.test(wishes)) return "svg";
  const [, picture, pdf] = /image\/(png|jpeg|webp)|application\/(pdf)/.exec(wishes) ?? [];
  return picture ?? pdf ?? "svg";
}

function health(): Response {
  const engines = FORMATS.map((format) => [format, engineVersion(format)] as const).filter(([, version]) => version);
  const body = {
    status: "pass",
    version: { kroki: { number: "millrace", build_hash: "" }, ...Object.fromEntries(engines) },
  };
  return new Response(JSON.stringify(body), { headers: { "content-type": "application/health+json" } });
}
