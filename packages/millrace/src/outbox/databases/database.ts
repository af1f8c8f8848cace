// What a relay asks of a database with an outbox. The dialects differ in their statements alone.

/** A row as it stands in the table. Text columns may be JSON columns, which some drivers parse. */
export interface StoredRow {
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly options: unknown;
  readonly tenant: string | null;
  /** When it was inserted, in milliseconds since 1970, by the clock of the database. */
  readonly at: number;
}

/** Where a page ended. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/** The rows that wait in the table. */
export interface Backlog {
  readonly waiting: number;
  readonly oldestMs?: number;
  /** Kinds of waiting rows that are none of those asked for. At most five. */
  readonly otherKinds: readonly string[];
}

export interface OutboxDatabase {
  /** The random string that the database keeps. Two processes know by it that they relay the same outbox. */
  identity(): Promise<string>;
  /** Committed rows of these kinds, oldest first. */
  read(kinds: readonly string[], after: Position | undefined): Promise<StoredRow[]>;
  /** Deletes rows. It returns when that is on disk. */
  remove(ids: readonly string[]): Promise<void>;
  backlog(kinds: readonly string[]): Promise<Backlog>;
  /** Creates the tables that are missing. */
  init(): Promise<void>;
  close(): Promise<void>;
}

/** Rows of one page. Payloads can be 1 MB each. */
export const PAGE = 100;
/** A longer backlog is shown as this many. */
export const MOST_COUNTED = 10_000;

export const IDENTITY = "outbox";
