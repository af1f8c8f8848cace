// Pages with their right main text, from a folder that is not part of this repository.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Parser } from "htmlparser2";

export interface LabelledPage {
  id: string;
  html: string;
  /** The text of the article, in reading order. */
  expected: string;
}

export const CORPORA = ["article-extraction-benchmark", "readability"] as const;
export type Corpus = (typeof CORPORA)[number];

export function readCorpus(folder: string, corpus: Corpus): LabelledPage[] {
  return corpus === "readability" ? readabilityPages(join(folder, corpus)) : articlePages(join(folder, corpus));
}

function articlePages(folder: string): LabelledPage[] {
  const truth: Record<string, { articleBody: string }> = JSON.parse(
    readFileSync(join(folder, "ground-truth.json"), "utf8"),
  );
  return Object.entries(truth).map(([id, { articleBody }]) => ({
    id,
    html: unzipped(join(folder, "html", `${id}.html.gz`)),
    expected: articleBody,
  }));
}

function readabilityPages(folder: string): LabelledPage[] {
  return readdirSync(folder).map((id) => ({
    id,
    html: unzipped(join(folder, id, "source.html.gz")),
    expected: textOf(unzipped(join(folder, id, "expected.html.gz"))),
  }));
}

function unzipped(file: string): string {
  return gunzipSync(readFileSync(file)).toString("utf8");
}

/** All text, with a space where a tag of a block stands. */
export function textOf(html: string): string {
  let text = "";
  let unread = 0;
  const isUnread = (name: string) => name === "script" || name === "style";
  const isInline = (name: string) => /^(?:a|abbr|b|code|em|i|small|span|strong|sub|sup|u|font)$/.test(name);
  const parser = new Parser({
    onopentagname: (name) => {
      unread += Number(isUnread(name));
      if (!isInline(name)) text += " ";
    },
    onclosetag: (name) => {
      unread -= Number(isUnread(name));
      if (!isInline(name)) text += " ";
    },
    ontext: (data) => {
      if (unread === 0) text += data;
    },
  });
  parser.end(html);
  return text;
}
