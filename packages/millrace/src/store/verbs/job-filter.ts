import type { Standing } from "../../job/job.ts";
import type { OptionBag } from "../../lib/options/check.ts";
import { FOREVER, type Option, type OptionValues, onOff, text, texts, whole } from "../../lib/options/option.ts";

const LAST_MOMENT = 8_640_000_000_000_000;
/** One call brings no more jobs into memory than this. */
const MOST_LISTED = 10_000;

export const PAGE_OPTIONS = {
  /** Skip this many jobs. Default: 0. */
  offset: whole(0, Number.MAX_SAFE_INTEGER),
  /** The number of jobs, 1 to 10,000. Default: 50. */
  limit: whole(1, MOST_LISTED),
} as const;

const FILTER_OPTIONS = {
  /**
   * A state, the name of a stage, or one of `scheduled`, `retrying`, `held`, `not-started`, `dead-letter` and `done`.
   * Default: any.
   */
  status: text(64),
  /** Any of these standings. Default: any. */
  standings: texts(FOREVER, 64) as Option<Standing[], undefined>,
  /** The name of the kind. Default: any. */
  kind: text(255),
  /** The name of the current stage. Default: any. */
  stage: text(255),
  /** The tenant. Default: all tenants. */
  tenant: text(255),
  /** A tag that the job has. Default: any. */
  tag: text(255),
  /**
   * What the job waits for: `sleep`, `signal`, `event`, `approval`, `children`, `hold` or `after`, alone or with a name,
   * such as `signal:paid`. Default: any.
   */
  waitsFor: text(300),
  /** The id of the job that started them, or that depends on them in a flow. Default: any. */
  parent: text(255),
  /** The id of the batch that they belong to. Default: any. */
  batch: text(255),
  /** Submitted at or after this time, in milliseconds since 1970. Default: no limit. */
  sinceAt: whole(0, LAST_MOMENT),
  /** Submitted before this time, in milliseconds since 1970. Default: no limit. */
  untilAt: whole(0, LAST_MOMENT),
  /** True: only jobs that wait for a retry. Default: false. */
  retrying: onOff(),
  /** True: only failed or cancelled jobs that were not revived yet. Default: false. */
  revivable: onOff(),
  /** True: only jobs that a processor holds now. Default: false. */
  inProgress: onOff(),
  /** A string in the payload, the result or the failure, or a job id. Default: any. */
  search: text(10_000),
  /** Only these jobs. Default: any. */
  ids: texts(FOREVER, 255),
  /** The code of the failure. Default: any. */
  failureCode: text(255),
  /** The fingerprint of the cause: only dead letters have one. Default: any. */
  fingerprint: text(64),
  /** The whole message of the failure. Default: any. */
  failureMessage: text(10_000),
  /** Only jobs submitted before this one: the last id of the previous page. Default: start with the newest. */
  beforeId: text(255),
  ...PAGE_OPTIONS,
} as const;

/** Which jobs to list, count or act on. All conditions must hold. Lists are newest first. */
export interface JobFilter extends OptionValues<typeof FILTER_OPTIONS> {}

export const JOB_FILTER: OptionBag = { what: "a job filter", options: FILTER_OPTIONS };
export const PAGE: OptionBag = { what: "a page", options: PAGE_OPTIONS };
