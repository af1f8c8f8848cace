// The one interface behind which every diagram format stands.

import type { GroundColours } from "./frame.ts";

export interface DiagramEngine<Options = unknown> {
  /** Loads what is large and draws once, so that the first request is not the slow one. */
  warmUp(): Promise<void>;
  /** One drawing at a time. The SVG is as the engine made it, and must go through `sanitise` before it is shown. */
  render(source: string, options: Options): Promise<Drawing | { fault: Fault }>;
}

export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  /** Sentences for people: what could not be drawn as asked. */
  readonly warnings: readonly string[];
  /** What is behind the drawing if no background is asked for. None: the engine has drawn a ground of its own. */
  readonly ground?: GroundColours;
  /** Whether the engine has already made the margin that was asked for. */
  readonly isPadded?: boolean;
  /** The same with HTML in it, where only a browser can draw that. It is only for rasterising and must not be shown. */
  readonly browserSvg?: string;
}

/** What is wrong with the source, so that its author can mend it. Lines and columns count from 1. */
export interface Fault {
  readonly message: string;
  /** `include-missing`: a part that the source asks for is not there. Default: `render-failed`. */
  readonly code?: "include-missing";
  readonly line?: number;
  readonly column?: number;
}

/** A fault as its author reads it (fault/teach.ts). */
export interface ToldFault extends Fault {
  /** The line of the fault with a caret below it. */
  readonly excerpt?: string;
  /** The likely cause, or what to write instead. */
  readonly advice?: string;
}
