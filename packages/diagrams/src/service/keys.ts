// The keys of a drawing: the same for the same tenant, source, options and renderer, and for nothing else. The tenant is part of
// them, so that no tenant can tell by the time of an answer what another has drawn.

import { hash } from "node:crypto";
import { locateChromium } from "millrace/chromium";
import type { RenderPayload } from "../api/render.ts";
import { normalised } from "../normalised.ts";
import { engineVersion, ownVersion } from "./versions.ts";

export interface DrawingKeys {
  readonly svg: string;
  /** Of what was asked for: the same as `svg` where that was SVG. */
  readonly asked: string;
}

/** The keys under which a tenant's drawings are kept. */
export function keysOf(payload: RenderPayload, tenant: string): DrawingKeys {
  const { svg, asked } = contentKeysOf(payload);
  return { svg: digest([tenant, svg]), asked: digest([tenant, asked]) };
}

/** The same for the same drawing. Unique keys belong to a tenant already. */
export function uniqueKeyOf(payload: RenderPayload): string {
  return contentKeysOf(payload).asked;
}

/** Of payloads in hand: submitting one asks twice. */
const known = new WeakMap<RenderPayload, DrawingKeys>();

function contentKeysOf(payload: RenderPayload): DrawingKeys {
  let keys = known.get(payload);
  if (keys === undefined) {
    keys = computed(payload);
    known.set(payload, keys);
  }
  return keys;
}

function computed(payload: RenderPayload): DrawingKeys {
  const { format, source, options = {}, outputType } = payload;
  const { fonts, code } = ownVersion();
  const engine = engineVersion(format);
  const browser = options.engine === "chromium" ? [locateChromium()?.version] : [];
  const svg = digest(["svg", format, engine, code, fonts, sorted(options), normalised(source), ...browser]);
  return { svg, asked: outputType === "svg" ? svg : digest([outputType, engineVersion("png"), svg]) };
}

function sorted(options: object): [string, unknown][] {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function digest(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url");
}
