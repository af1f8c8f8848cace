// A client of the diagram service, and a look at the processes behind it.

import { execFileSync } from "node:child_process";
import type { Subject } from "./sources.ts";

export interface Drawn {
  /** Where the drawing is. */
  readonly address: string;
  /** Until the service had answered. */
  readonly answeredMs: number;
  /** Until the SVG was here. */
  readonly fetchedMs: number;
}

export const JSON_HEADERS = { "content-type": "application/json" };

export function bodyOf({ format, source }: Subject, round: number): string {
  return JSON.stringify({ format, source: source(round) });
}

/** One diagram, submitted, waited for and fetched, as a client does. */
export async function drawOverHttp(url: string, subject: Subject, round: number): Promise<Drawn> {
  const startedAt = performance.now();
  const request = { method: "POST", headers: JSON_HEADERS, body: bodyOf(subject, round) };
  const answer = await fetch(`${url}/render?mode=sync`, request);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  const address = url + ((await answer.json()) as { url: string }).url;
  const answeredMs = performance.now() - startedAt;
  const drawing = await fetch(address);
  const svg = await drawing.text();
  if (!svg.startsWith("<svg")) throw new Error(`${drawing.status}: ${svg.slice(0, 200)}`);
  return { address, answeredMs, fetchedMs: performance.now() - startedAt };
}

/** These subjects in turn, never the same diagram twice. */
export function inTurn(subjects: readonly Subject[]): () => { subject: Subject; round: number } {
  let round = 0;
  return () => {
    const subject = subjects[round % subjects.length] as Subject;
    return { subject, round: ++round };
  };
}

export async function completedBy(url: string): Promise<number> {
  const { jobsCompleted } = (await (await fetch(`${url}/metrics`)).json()) as { jobsCompleted: number };
  return jobsCompleted;
}

/** Resident, of every process that this one has started. */
export function childrenMb(pid: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "ppid=,rss=,comm="], { encoding: "utf8" }).trim().split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, , command]) => Number(parent) === pid && command !== "ps")
    .map(([, kilobytes]) => Number(kilobytes) / 1_024);
}
