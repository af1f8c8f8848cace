// Real sources from a folder that --corpus names: one JSON object per line with id, origin and source, compressed by gzip.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Format } from "../../../packages/diagrams/src/api/formats.ts";

export interface CorpusSource {
  readonly id: string;
  readonly origin: string;
  readonly source: string;
}

/** Mermaid's own tests and a linter's broken fixtures; everything else stands in documents that people wrote. */
const NOT_DOCUMENTS = /^(?:mermaid-js\/|probelabs\/mermaid-lint)/;

export type Group = "mermaid documents" | "mermaid tests" | "d2" | "graphviz";
export const GROUPS: readonly Group[] = ["mermaid documents", "mermaid tests", "d2", "graphviz"];

export function formatOf(group: Group): Format {
  return group === "d2" || group === "graphviz" ? group : "mermaid";
}

/** In an order that is the same in every run and mixes the repositories. */
export function readCorpus(folder: string, group: Group): CorpusSource[] {
  const file = join(folder, `${formatOf(group)}.jsonl.gz`);
  if (!existsSync(file)) return [];
  const all = gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CorpusSource);
  const wanted = all.filter(({ origin }) => {
    if (group === "mermaid documents") return !NOT_DOCUMENTS.test(origin);
    return group === "mermaid tests" ? NOT_DOCUMENTS.test(origin) : true;
  });
  const place = ({ id }: CorpusSource) => createHash("sha256").update(id).digest("hex");
  return wanted.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}
