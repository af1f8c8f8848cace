// How the types of kinds reach the client: by shape, so that no code of the engine comes along.

import type { Job } from "./wire.ts";

/** What `defineKind` makes, as far as the compiler is concerned. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of any payload and result
export interface KindShape<Input = any, Result = any> {
  readonly name: string;
  readonly types?: { input: Input; result: Result };
}

/** The kinds a client knows, by name: `createClient<{ thumbnail: typeof thumbnail }>(...)`. */
export type KindMap = Readonly<Record<string, KindShape>>;

export type InputOf<K extends KindShape> = NonNullable<K["types"]>["input"];
export type ResultOf<K extends KindShape> = NonNullable<K["types"]>["result"];

/** A job whose result has a type. */
export type JobOf<Result> = Omit<Job, "result"> & { readonly result?: Result };

/** A client that was told of no kinds. */
export type NoKinds = Readonly<Record<never, KindShape>>;

/** With kinds given, only their names; without, any. */
export type LooseName<Kinds> = [keyof Kinds] extends [never] ? string : never;
