// The keys of a drawing: the same for the same tenant, source, options and renderer, and for nothing else. The tenant is part of
// them, so that no tenant can tell by the time of an answer what another has drawn.

import { hash } from "node:crypto";
import { locateChromium } from "millrace/chromium";
import type { RenderPayload } from "../api/render.ts";
import { normalised } from "../normalised.ts";
import type { UpstreamPayload } from "./upstream/payload.ts";
import { engineVersion, ownVersion } from "./versions.ts";

/** A diagram that we draw, or one that a Kroki draws for us. */
export type DrawnPayload = RenderPayload | UpstreamPayload;

export interface DrawingKeys {
  readonly svg: string;
  /** Of what was asked for: the same as `svg` where that was SVG. */
  readonly asked: string;
}

/** The keys under which a tenant's drawings are kept. */
export function keysOf(payload: DrawnPayload, tenant: string): DrawingKeys {
  const { svg, asked } = contentKeysOf(payload);
  return { svg: digest([tenant, svg]), asked: digest([tenant, asked]) };
}

/** The same for the same drawing. Unique keys belong to a tenant already. */
export function uniqueKeyOf(payload: DrawnPayload): string {
  return contentKeysOf(payload).asked;
}

/** Of payloads in hand: submitting one asks twice. */
const known = new WeakMap<DrawnPayload, DrawingKeys>();

function contentKeysOf(payload: DrawnPayload): DrawingKeys {
  let keys = known.get(payload);
  if (keys === undefined) {
    keys = computed(payload);
    known.set(payload, keys);
  }
  return keys;
}

function computed(payload: DrawnPayload): DrawingKeys {
  const { outputType } = payload;
  const svg = "upstream" in payload ? upstreamKey(payload) : ownKey(payload);
  return { svg, asked: outputType === "svg" ? svg : digest([outputType, engineVersion("png"), svg]) };
}

function ownKey({ format, source, options = {} }: RenderPayload): string {
  const { fonts, code } = ownVersion();
  const browser = options.engine === "chromium" ? [locateChromium()?.version] : [];
  return digest(["svg", format, engineVersion(format), code, fonts, sorted(options), normalised(source), ...browser]);
}

/** The version of the other Kroki is not known: a drawing lives as long as it is kept. */
function upstreamKey({ upstream, source, options = {} }: UpstreamPayload): string {
  const { fonts, code } = ownVersion();
  return digest(["upstream", upstream, code, fonts, sorted(options), normalised(source)]);
}

function sorted(options: object): [string, unknown][] {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function digest(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url");
}
