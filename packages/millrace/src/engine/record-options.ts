import { SUBMIT_OPTIONS } from "../job/options/submit-options.ts";
import type { OptionBag } from "../lib/options/check.ts";
import { ms, type Option, type OptionValues, text, whole } from "../lib/options/option.ts";

const TEN_YEARS_MS = 10 * 366 * 24 * 3_600_000;
const LONGEST_KEY = 255;
export const LIST_LIMIT = 100;

const EVERY = {
  /** The tenant whose records are meant. Tenants cannot see each other's records. Default: "default". */
  tenant: SUBMIT_OPTIONS.tenant,
} as const;

const PUTTING = {
  /** Write only if the record has this version; 0 means only if it does not exist. Default: write in any case. */
  ifVersion: whole(0, Number.MAX_SAFE_INTEGER),
  /** Delete the record after this time, in milliseconds. Default: it does not expire. */
  expiresInMs: ms(1, TEN_YEARS_MS),
} as const;

const DELETING = {
  /** Delete only if the record has this version. Default: delete in any case. */
  ifVersion: whole(1, Number.MAX_SAFE_INTEGER),
} as const;

const UPDATING = {
  /** Delete the record after this time, in milliseconds. Default: the record keeps its expiry. */
  expiresInMs: ms(1, TEN_YEARS_MS),
} as const;

const LISTING = {
  /** Only keys that start with this string. Default: all keys. */
  prefix: text(LONGEST_KEY, { empty: true }),
  /** `next` of the previous page. Default: start with the first page. */
  after: text(LONGEST_KEY) as Option<string | undefined, undefined>,
  /** The number of records in a page, 1 to 100. Default: 100. */
  limit: whole(1, LIST_LIMIT),
} as const;

/** Options of every call on records. */
export interface RecordOptions extends OptionValues<typeof EVERY> {}

/** Options of `records.put()`. */
export interface PutRecordOptions extends RecordOptions, OptionValues<typeof PUTTING> {}

/** Options of `records.delete()`. */
export interface DeleteRecordOptions extends RecordOptions, OptionValues<typeof DELETING> {}

/** Options of `records.update()`. */
export interface UpdateRecordOptions extends RecordOptions, OptionValues<typeof UPDATING> {}

/** Options of `records.list()`. */
export interface ListRecordsOptions extends RecordOptions, OptionValues<typeof LISTING> {}

export const GET: OptionBag = { what: "get", options: EVERY };
export const PUT: OptionBag = { what: "put", options: { ...EVERY, ...PUTTING } };
export const DELETE: OptionBag = { what: "delete", options: { ...EVERY, ...DELETING } };
export const UPDATE: OptionBag = { what: "update", options: { ...EVERY, ...UPDATING } };
export const LIST: OptionBag = { what: "list", options: { ...EVERY, ...LISTING } };
