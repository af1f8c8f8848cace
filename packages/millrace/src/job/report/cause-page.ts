// Pages of causes: searched, sorted and cut. All causes that match are in memory, since each is one small object and there are few
// beside their dead letters.

import { AppError } from "../../lib/app-error.ts";
import type { OptionBag } from "../../lib/options/check.ts";
import { type OptionValues, text, whole, word } from "../../lib/options/option.ts";

/** Dead letters of the same stage whose messages differ only in ids, numbers, quoted values, paths and addresses. */
export interface DeadLetterCause {
  /** The same for all of them, also in other processes. It begins with the version of the patterns. */
  fingerprint: string;
  /** The message with placeholders such as `<id>` and `<value>`. */
  pattern: string;
  /** The kind. */
  kind: string;
  /** The stage that failed. */
  stage: string;
  /** The code of the failure. */
  code: string;
  /** The number of dead letters. */
  count: number;
  /** How many different messages they have. */
  variants: number;
  /** When the first one failed, in milliseconds since 1970. */
  firstAt: number;
  /** When the latest one failed, in milliseconds since 1970. */
  lastAt: number;
  /** The id of the newest one. */
  sample: string;
  /** The message of the newest one. */
  message: string;
}

type CauseSort = NonNullable<CausePageOptions["sort"]>;

const CAUSE_PAGE_OPTIONS = {
  /** A string in the pattern, the newest message, the code, the kind or the stage, or a fingerprint. Default: any. */
  search: text(200),
  /**
   * "count": the most frequent first. "last": the latest failure first. "first": the oldest failure first. "kind": by kind and stage.
   * Default: "count".
   */
  sort: word("count", "last", "first", "kind"),
  /** `nextCursor` of the previous page. Default: start with the first. */
  cursor: text(100),
  /** The number of causes, 1 to 500. Default: 50. */
  limit: whole(1, 500),
} as const;

/** Options of a page of causes. */
export interface CausePageOptions extends OptionValues<typeof CAUSE_PAGE_OPTIONS> {}

export const CAUSE_PAGE: OptionBag = { what: "a page of causes", options: CAUSE_PAGE_OPTIONS };

/** A page of causes. */
export interface CausePage {
  /** The causes of this page. */
  causes: DeadLetterCause[];
  /** The number of causes that match. */
  groupCount: number;
  /** The number of dead letters of these causes. */
  total: number;
  /** Pass it as `cursor` to read the next page. Missing on the last page. */
  nextCursor?: string;
}

const ORDERS: Record<CauseSort, (a: DeadLetterCause, b: DeadLetterCause) => number> = {
  count: (a, b) => b.count - a.count || b.lastAt - a.lastAt,
  last: (a, b) => b.lastAt - a.lastAt,
  first: (a, b) => a.firstAt - b.firstAt,
  kind: (a, b) => compare(a.kind, b.kind) || compare(a.stage, b.stage) || b.count - a.count,
};

export function pageOfCauses(all: readonly DeadLetterCause[], options: CausePageOptions): CausePage {
  const { search, sort = "count", cursor, limit = 50 } = options;
  const words = search?.trim().toLowerCase();
  const found = words ? all.filter((cause) => says(cause, words)) : [...all];
  // Equal ones keep one order on all pages.
  found.sort((a, b) => ORDERS[sort](a, b) || compare(a.fingerprint, b.fingerprint));
  const from = cursor === undefined ? 0 : placeAfter(found, cursor);
  const causes = found.slice(from, from + limit);
  const last = causes.at(-1);
  return {
    causes,
    groupCount: found.length,
    total: found.reduce((sum, { count }) => sum + count, 0),
    ...(last && from + limit < found.length && { nextCursor: `${from + causes.length}~${last.fingerprint}` }),
  };
}

function says({ pattern, code, kind, stage, fingerprint, message }: DeadLetterCause, words: string): boolean {
  return [pattern, message, code, `${kind}/${stage}`, fingerprint].some((text) => text.toLowerCase().includes(words));
}

/** After the cause that ended the page before, wherever it stands by now; after its old place if it is gone. */
function placeAfter(found: readonly DeadLetterCause[], cursor: string): number {
  const [, place, fingerprint] = /^(\d{1,9})~([0-9a-f-]{1,40})$/.exec(cursor) ?? [];
  if (place === undefined) {
    throw new AppError("invalid-request", "Invalid cursor.", {
      hint: "Use the `nextCursor` of the previous page unchanged.",
      details: { issues: [{ path: "cursor", message: "is not a valid cursor" }] },
    });
  }
  const now = found.findIndex((cause) => cause.fingerprint === fingerprint);
  return now < 0 ? Number(place) : now + 1;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
