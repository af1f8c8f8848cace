import type { ComponentType } from "react";
import type { Job } from "../../src/client/index.ts";

/** What the module of a workload's pages exports by default. */
export interface Pages {
  /**
   * Pages by their address below `/ui`. A part in braces is given to the page as a property of that name:
   * `"/greetings/{id}"` gets `id`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each page has the properties that its address names
  readonly pages?: Readonly<Record<string, ComponentType<any>>>;
  /** Shown on the page of a completed job in the place of its result, by kind. */
  readonly results?: Readonly<Record<string, ComponentType<{ readonly job: Job }>>>;
  /** Shown above the form that submits a job, by kind. */
  readonly notes?: Readonly<Record<string, ComponentType>>;
}

const FIELDS = ["pages", "results", "notes"];

/**
 * The pages of a workload, for the dashboard: `export default definePages({ pages: { "/greetings": GreetingsPage } })`.
 */
export function definePages(pages: Pages): Pages {
  const unknown = Object.keys(pages).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    throw new Error(`Unknown option "${unknown}" for definePages(). Known: ${FIELDS.join(", ")}.`);
  return pages;
}
