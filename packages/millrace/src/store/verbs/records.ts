// A key-value table for workloads.

/** An expired record counts as deleted in every verb. */
export interface RecordVerbs {
  findRecord(name: RecordName): Promise<RecordEntry | undefined>;
  /** Adds or replaces the record in one transaction, and gives it a version that no record of the store had before. */
  putRecord(record: NewRecord): Promise<RecordVersion | RecordConflict>;
  /** Deletes a record. With `ifVersion`, only the record of that version. */
  deleteRecord(name: RecordName, ifVersion?: number): Promise<DeleteRecordAnswer>;
  /** Records, sorted by key in the order of code points. */
  listRecords(filter: RecordFilter): Promise<RecordEntry[]>;
}

/** A key is unique within its space and tenant. */
export interface RecordName {
  space: string;
  tenant: string;
  key: string;
}

export interface RecordEntry {
  key: string;
  /** The value, as JSON. */
  value: string;
  version: number;
  updatedAt: number;
  expiresAt?: number;
}

export interface NewRecord extends RecordName {
  value: string;
  /** Write only if the record has this version; 0: only if there is no record. Default: write in any case. */
  ifVersion?: number;
  /** The life of the record in milliseconds, from the write. Default: the record does not expire. */
  expiresInMs?: number;
  /** When the record expires. It takes precedence over `expiresInMs`. */
  expiresAt?: number;
}

export type RecordVersion = Pick<RecordEntry, "version" | "updatedAt" | "expiresAt">;

/** Nothing was written, because the record has this version; 0 means that there is no record. */
export interface RecordConflict {
  conflict: number;
}

/** False: there is no record. */
export type DeleteRecordAnswer = boolean | RecordConflict;

/** `after` is the last key of the previous page. */
export interface RecordFilter {
  space: string;
  tenant: string;
  prefix?: string;
  after?: string;
  limit: number;
}
