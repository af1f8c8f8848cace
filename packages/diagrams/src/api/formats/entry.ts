import type { z } from "zod";
import type { CommonOptions } from "../options.ts";

/** A language of diagrams, described once: library, API, Kroki routes, command line, editor and gallery follow from it. */
export interface FormatEntry {
  /** As its own project writes it. */
  readonly title: string;
  /** Of its files. The longest that fits decides: `.vl.json`. */
  readonly endings: readonly string[];
  /** Its names in the Kroki protocol, on the command line and in fenced blocks. */
  readonly krokiTypes: readonly string[];
  /** Languages of fenced blocks, where the names of its files mean something else in a document. Default: names and endings. */
  readonly fences?: readonly string[];
  /** The npm packages that draw it. Their versions are part of the key under which a drawing is kept. */
  readonly packages: readonly [string, ...string[]];
  /** The packages are optional peers: the application installs them. */
  readonly isOptional?: boolean;
  /** What is behind a drawing that a client of Kroki asks for without a background. Default: what the format draws itself. */
  readonly krokiGround?: string;
  readonly options: z.ZodObject<(typeof CommonOptions)["shape"]>;
}
