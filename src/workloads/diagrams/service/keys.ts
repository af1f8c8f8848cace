// The key of a drawing: the same for the same source, options and renderer, and for nothing else.

import { hash } from "node:crypto";
import type { RenderPayload } from "../../../api/render.ts";
import { chromiumPlace } from "../../../chromium/find.ts";
import { normalised } from "../normalised.ts";
import { engineVersion, ownVersion } from "./versions.ts";

export interface DrawingKeys {
  readonly svg: string;
  /** Of what was asked for: the same as `svg` where that was SVG. */
  readonly asked: string;
}

/** Of payloads in hand: submitting one asks twice. */
const known = new WeakMap<RenderPayload, DrawingKeys>();

export function keysOf(payload: RenderPayload): DrawingKeys {
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
  const browser = options.engine === "chromium" ? [chromiumPlace()?.version] : [];
  const svg = digest(["svg", format, engine, code, fonts, sorted(options), normalised(source), ...browser]);
  return { svg, asked: outputType === "svg" ? svg : digest(["png", engineVersion("png"), svg]) };
}

function sorted(options: object): [string, unknown][] {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function digest(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url");
}
