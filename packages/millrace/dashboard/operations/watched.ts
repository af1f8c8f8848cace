// The operations that were started on this page. A message reports their end, whichever page is open then.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import type { OperationInfo } from "../../src/client/index.ts";
import { useLiveQuery } from "../lib/data.ts";
import { say } from "../lib/messages.ts";
import { endedWords } from "./words.ts";

let watched: readonly string[] = [];
const listeners = new Set<() => void>();

function change(next: readonly string[]): void {
  watched = next;
  for (const listener of listeners) listener();
}

/** Tells when this operation has ended. */
export function watchOperation({ id, endedAt }: OperationInfo): void {
  if (id !== null && endedAt === null && !watched.includes(id)) change([...watched, id]);
}

/** Looks at the watched operations until they have ended. */
export function useWatchedOperations(): void {
  const ids = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => watched,
  );
  const queries = useQueryClient();
  const { data } = useLiveQuery<OperationInfo[]>({
    key: ["operations", "watched", ids],
    load: (client, signal) => Promise.all(ids.map((id) => client.operations.find(id, { signal }))),
    everyMs: 1_000,
    enabled: ids.length > 0,
    concerns: anyMove,
  });
  useEffect(() => {
    const ended = (data ?? []).filter(({ id, endedAt }) => endedAt !== null && watched.includes(id as string));
    if (ended.length === 0) return;
    change(watched.filter((id) => !ended.some((each) => each.id === id)));
    for (const operation of ended) say(endedWords(operation), operation.state === "failed" ? "wrong" : undefined);
    void queries.invalidateQueries();
  }, [data, queries]);
}

const anyMove = () => true;
