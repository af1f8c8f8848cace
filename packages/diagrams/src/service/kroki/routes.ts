import { AppError } from "millrace";
import { type BoundRoute, bind, type Exchange, oneTenant, readJson, readText } from "millrace/workload";
import { krokiRoutes } from "../../api/kroki.ts";
import { FORMATS } from "../../api/options.ts";
import { imageResponse } from "../drawing-route.ts";
import { checkPayload, type DrawingRequest, type DrawingService, recalled, submitDrawing, waited } from "../submit.ts";
import { engineVersion } from "../versions.ts";
import { krokiErrorResponse } from "./error.ts";
import { headerOptions } from "./options.ts";
import { decodeSource, KrokiError, type KrokiRequest, payloadOf } from "./source.ts";

/** A client may keep a drawing for five days, as Kroki's answers say; the drawing itself is kept as any other. */
const CACHE = "max-age=432000";

/** By all the names that Kroki's own has. */
const HEALTH = [krokiRoutes.health, krokiRoutes.healthV1, krokiRoutes.healthz];

export function krokiHandlers(surroundings: DrawingService): BoundRoute[] {
  const { maxChars } = surroundings.settings;
  const answer = answering(surroundings);
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
      answer(async ({ request, query }) => fromJson(await readJson(request), {}, query, request)),
    ),
    bind(
      krokiRoutes.postType,
      answer(({ params, query, request }) =>
        fromBody({ ...params, format: acceptedFormat(request.headers.get("accept")) }, query, request),
      ),
    ),
    bind(
      krokiRoutes.postFormat,
      answer(({ params, query, request }) => fromBody(params, query, request)),
    ),
  ];
}

type Query = Record<string, string>;

/** From what is asked to a drawing, or to an error in the client's own form. */
function answering(surroundings: DrawingService) {
  return <Params>(read: (exchange: Exchange<Params, Query, undefined>) => Promise<KrokiRequest>) =>
    async (exchange: Exchange<Params, Query, undefined>): Promise<Response> => {
      const tenant = oneTenant(exchange.caller);
      let format = (exchange.params as { format?: string } | undefined)?.format;
      try {
        const wanted = await read(exchange);
        format = wanted.format;
        return await draw(surroundings, exchange, tenant, wanted);
      } catch (error) {
        const { signal, headers } = exchange.request;
        const wishes = { accept: headers.get("accept"), format };
        const response = signal.aborted ? undefined : await krokiErrorResponse(error, wishes);
        if (response === undefined) throw error;
        return response;
      }
    };
}

async function draw(
  surroundings: DrawingService,
  { request, traceId }: Exchange,
  tenant: string,
  wanted: KrokiRequest,
): Promise<Response> {
  const { engine, settings } = surroundings;
  const payload = payloadOf(wanted);
  checkPayload(payload, settings);
  const asked: DrawingRequest = { payload, tenant, request, traceId, nothingKept: true, waits: true };
  const { shortlink } =
    (await recalled(surroundings, asked)) ??
    (await waited(surroundings, asked, await submitDrawing(surroundings, asked)));
  const found = await engine.shared.open(shortlink);
  if (!found)
    throw new AppError("store-unavailable", "The drawing was deleted before it could be read. Send the request again.");
  return imageResponse(request, found, { link: shortlink, cacheControl: `public, ${CACHE}`, download: false });
}

/** The source as it is, or in JSON beside its options. */
async function fromBody(
  address: { type: string; format: string },
  query: Query,
  request: Request,
): Promise<KrokiRequest> {
  const isJson = /^application\/json\b/i.test(request.headers.get("content-type") ?? "");
  if (isJson) return fromJson(await readJson(request), address, query, request);
  const options = { ...query, ...headerOptions(request.headers) };
  return { ...address, source: await readText(request), options };
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
  const format = given["output_format"] ?? address.format ?? acceptedFormat(request.headers.get("accept"));
  if (typeof source !== "string") throw new KrokiError(400, "diagram_source is missing.");
  if (typeof type !== "string") throw new KrokiError(400, "diagram_type is missing.");
  if (typeof format !== "string") throw new KrokiError(400, "output_format must be a string.");
  const own = given["diagram_options"];
  const options = { ...query, ...(typeof own === "object" ? own : {}), ...headerOptions(request.headers) };
  return { type, format, source, options };
}

function acceptedFormat(accept: string | null): string {
  const wishes = (accept ?? "").toLowerCase();
  return /image\/png/.test(wishes) && !/image\/svg/.test(wishes) ? "png" : "svg";
}

function health(): Response {
  const engines = FORMATS.map((format) => [format, engineVersion(format)] as const).filter(([, version]) => version);
  const body = {
    status: "pass",
    version: { kroki: { number: "millrace", build_hash: "" }, ...Object.fromEntries(engines) },
  };
  return new Response(JSON.stringify(body), { headers: { "content-type": "application/health+json" } });
}
