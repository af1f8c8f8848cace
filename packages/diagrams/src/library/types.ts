import type { Bytes } from "millrace";
import type { Format, OptionsByFormat } from "../api/formats.ts";
import type { OutputType } from "../api/render.ts";

/** What each output is given as. */
export interface DataByOutput {
  /** The markup. */
  svg: string;
  /** The bytes of the file. */
  pdf: Bytes;
  /** The bytes of the file. */
  png: Bytes;
  /** The bytes of the file. */
  jpeg: Bytes;
  /** The bytes of the file. */
  webp: Bytes;
}

/** The media type of each output. */
export interface ContentTypeByOutput {
  /** The media type of SVG. */
  svg: "image/svg+xml";
  /** The media type of PDF. */
  pdf: "application/pdf";
  /** The media type of PNG. */
  png: "image/png";
  /** The media type of JPEG. */
  jpeg: "image/jpeg";
  /** The media type of WebP. */
  webp: "image/webp";
}

/** What `render` draws, and how. */
export interface RenderOptions<F extends Format = Format, O extends OutputType = "svg"> {
  /** The language of the source. */
  readonly format: F;
  /** Default: `"svg"`. */
  readonly output?: O;
  /** Theme, layout, scale and so on, by format. */
  readonly options?: OptionsByFormat[F];
  /** How long the drawing may take, without the wait for a renderer and its start. Default: 10,000 ms. */
  readonly timeoutMs?: number;
  /** Ends the drawing; `render` rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * `"process"` (default) draws in a confined child process. `"none"` draws in this process, where child processes cannot be
   * started: there is no deadline then, and a hostile diagram can block the program.
   */
  readonly isolation?: "process" | "none";
}

/** A drawing. */
export interface RenderResult<O extends OutputType = "svg"> {
  /** SVG as a string, pictures as bytes. */
  readonly data: DataByOutput[O];
  /** The media type of `data`. */
  readonly contentType: ContentTypeByOutput[O];
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** Sentences about what could not be drawn as asked, such as glyphs that no font has. */
  readonly warnings: readonly string[];
}

/** How many renderer processes there are, and how long they live. */
export interface RenderersOptions {
  /** Diagrams drawn at the same time, each in a process of about 100 MB. Default: the number of cores, 4 at most. */
  readonly processes?: number;
  /** Default of `timeoutMs`: 10,000 ms. */
  readonly timeoutMs?: number;
  /** A renderer without work ends after this time. Default: 30,000 ms. */
  readonly idleMs?: number;
  /** The Chromium for `options: { engine: "chromium" }`. Default: one is looked for. */
  readonly chromiumPath?: string | undefined;
  /** Folder of fonts that `millrace fonts add` has filled. Default: none. */
  readonly fonts?: string;
  /** Folder of PlantUML's standard library: `C4/C4_Container.puml` and so on. Default: none. */
  readonly plantumlStdlib?: string | undefined;
}

/** A set of renderer processes of your own. */
export interface Renderers extends AsyncDisposable {
  /** Draws a diagram, as the function `render` does. */
  render<F extends Format, O extends OutputType = "svg">(
    source: string,
    options: RenderOptions<F, O>,
  ): Promise<RenderResult<O>>;
  /** Ends the processes. Drawings that are not finished reject with `renderers-closed`. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
