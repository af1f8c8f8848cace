// How the types of kinds reach the client: by shape, so that no code of the engine comes along.

import type { Job, SubmittedJob } from "./wire.ts";

/** What `defineKind()` returns, as far as the client's types are concerned. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of any payload and result
export interface KindShape<Input = any, Result = any> {
  /** The name of the kind. */
  readonly name: string;
  /** For the compiler only: the types of payload and result. */
  readonly types?: {
    /** What `submit()` takes. */
    input: Input;
    /** What `result()` returns. */
    result: Result;
  };
}

/** The kinds that a client knows, by name: `createClient<{ thumbnail: typeof thumbnail }>({ baseUrl })`. */
export type KindMap = Readonly<Record<string, KindShape>>;

/** The payload that a kind accepts. */
export type InputOf<K extends KindShape> = NonNullable<K["types"]>["input"];
/** The result of a kind. */
export type ResultOf<K extends KindShape> = NonNullable<K["types"]>["result"];

/** A job whose result has a type. */
export type JobOf<Result> = Omit<Job, "result"> & { readonly result?: Result };

/** A submitted job whose result has a type. */
export type SubmittedJobOf<Result> = Omit<SubmittedJob, "result"> & { readonly result?: Result };

/** A client that knows no kinds by name. */
export type NoKinds = Readonly<Record<never, KindShape>>;

/** Any name if the client knows no kinds; otherwise only theirs. */
export type LooseName<Kinds> = [keyof Kinds] extends [never] ? string : never;
