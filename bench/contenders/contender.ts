// What every contender can do, so that each measurement is written once.

export interface Payload {
  n: number;
  /** When it was submitted, for latencies; all other payloads have the same shape and about the same size. */
  at: number;
}

export interface OpenOptions {
  /** Missing: this process only submits. */
  run?: (payload: Payload) => void;
  /** For contenders that have such a thing; plainjob works on one job at a time. */
  processors?: number;
  /** Registered beside the one that is measured. */
  moreKinds?: string[];
  /** Finished jobs are deleted as fast as the contender can. */
  deleteFinished?: boolean;
  tenants?: number;
  capPerTenant?: number;
  /** Job n has the key n modulo this number, and one job of a key runs at a time. */
  keys?: number;
  /** pg-boss: each job is fetched, run and completed by itself, with this many workers. Missing: in large batches. */
  workersOfOneJob?: number;
  pollMs?: number;
}

export interface Queue {
  submit(payload: Payload): unknown;
  submitMany(payloads: Payload[]): unknown;
  /** Jobs recorded as completed and still kept. */
  completed(): Promise<number>;
  close(): Promise<void>;
}

/** The key of a job, for contenders that run one job of a key at a time. */
export const keyOf = ({ n }: Payload, keys: number): string => `key-${n % keys}`;

export const payloadOf = (n: number): Payload => ({ n, at: 1_700_000_000_000.25 });

export function payloads(from: number, count: number): Payload[] {
  return Array.from({ length: count }, (_, i) => payloadOf(from + i));
}

/** Wall time with fractions, comparable between processes of one machine. */
export const now = (): number => performance.timeOrigin + performance.now();
