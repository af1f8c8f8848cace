// What needs a person now, in words. Pure: from what the API says to sentences.

import type {
  DeadLetterCause,
  DeadLetterCauses,
  FigurePoint,
  Health,
  KindInfo,
  LongWait,
  PoolInfo,
} from "../../src/client/index.ts";
import { clock, count, duration, plural } from "../lib/format.ts";

export interface Concern {
  readonly tone: "bad" | "care";
  readonly text: string;
  /** Where it can be mended. */
  readonly to: string;
}

export interface HeldWords {
  readonly one: string;
  readonly many: string;
  readonly path: string;
}

export interface AttentionFacts {
  readonly now: number;
  readonly health?: Health | undefined;
  readonly kinds?: readonly KindInfo[] | undefined;
  readonly pools?: readonly PoolInfo[] | undefined;
  readonly deadLetters?: Pick<DeadLetterCauses, "causes" | "groupCount" | "total"> | undefined;
  readonly longWaits?: readonly LongWait[] | undefined;
  readonly points?: readonly FigurePoint[] | undefined;
  /** What held jobs of a kind wait for, in the words of its workload. */
  readonly held?: Readonly<Record<string, HeldWords>> | undefined;
}

const RECENT_MS = 24 * 3_600_000;
const FULL_FOR_MS = 30_000;

export function concernsOf(known: AttentionFacts): Concern[] {
  return [
    ...ofHealth(known),
    ...ofDeadLetters(known),
    ...ofPools(known),
    ...ofQueues(known),
    ...ofWaits(known),
    ...ofKinds(known),
  ];
}

function ofHealth({ health }: AttentionFacts): Concern[] {
  const tone = health?.status === "degraded" ? ("care" as const) : ("bad" as const);
  const problems = (health?.problems ?? []).map((text) => ({ tone, text, to: "/pools" }));
  const unserved = (health?.unservedStages ?? []).map(({ kind, stage, jobs, lastServedBy }) => ({
    tone: "bad" as const,
    text: `${plural(jobs, "job")} ${jobs === 1 ? "waits" : "wait"} for \`${stage === null ? kind : `${kind}/${stage}`}\`, which no living process serves${lastServedBy === undefined ? "" : ` (last: ${lastServedBy})`}.`,
    to: "/deployments",
  }));
  return [...problems, ...unserved];
}

function ofDeadLetters({ deadLetters, now }: AttentionFacts): Concern[] {
  const { causes, groupCount, total: all } = deadLetters ?? NO_DEAD_LETTERS;
  const recent = causes.filter(({ lastAt }) => now - Date.parse(lastAt) < RECENT_MS);
  const [first] = recent;
  if (!first) return [];
  // Only the latest causes are loaded. If all of them are recent, the others count as recent too.
  const areAllRecent = recent.length === causes.length;
  const total = areAllRecent ? all : recent.reduce((sum, cause) => sum + cause.count, 0);
  const number = areAllRecent ? groupCount : recent.length;
  const since = clock(Math.min(...recent.map(({ firstAt }) => Date.parse(firstAt))));
  const why =
    number === 1
      ? `${total === 1 ? "" : "same cause: "}${brief(first.lastError)}`
      : `${count(number)} causes, most often: ${brief(commonest(recent).pattern)}`;
  return [{ tone: "bad", text: `${plural(total, "dead letter")} since ${since}, ${why}`, to: "/dead-letters" }];
}

const NO_DEAD_LETTERS = { causes: [], groupCount: 0, total: 0 };

function commonest(causes: readonly DeadLetterCause[]): DeadLetterCause {
  return causes.reduce((most, cause) => (cause.count > most.count ? cause : most));
}

function brief(text: string): string {
  const [line = ""] = text.split("\n");
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

function ofPools({ pools = [], points = [], now }: AttentionFacts): Concern[] {
  const errors = pools.flatMap(({ pool, processors }) => {
    const wrong = processors.filter(({ state }) => state === "error");
    if (wrong.length === 0) return [];
    const reason = wrong[0]?.reason ? `: ${wrong[0].reason}` : "";
    return [
      {
        tone: "bad" as const,
        text: `${plural(wrong.length, "processor")} of \`${pool}\` ${wrong.length === 1 ? "has" : "have"} an error${reason}`,
        to: "/pools",
      },
    ];
  });
  const names = [...new Set(pools.map(({ pool }) => pool))];
  const full = names.flatMap((pool) => {
    const since = fullSince(pool, points);
    if (since === undefined || now - since < FULL_FOR_MS) return [];
    const text = `Pool \`${pool}\` has been full for ${duration(now - since)}, with jobs waiting`;
    return [{ tone: "care" as const, text, to: "/pools" }];
  });
  return [...errors, ...full];
}

/** Since when every processor was busy and something waited, without a break until now. */
export function fullSince(pool: string, points: readonly FigurePoint[]): number | undefined {
  let since: number | undefined;
  for (let i = points.length - 1; i >= 0; i--) {
    const point = points[i] as FigurePoint;
    const stage = point.perStage[pool];
    if (!stage || stage.busy === 0 || stage.idle > 0 || stage.queueSize === 0) break;
    since = Date.parse(point.at);
  }
  return since;
}

function ofQueues({ kinds = [] }: AttentionFacts): Concern[] {
  return kinds.flatMap(({ kind, stages }) =>
    stages.flatMap(({ stage, queueMax = 0, counts }) => {
      const waiting = counts.ready + counts.suspect;
      if (queueMax === 0 || waiting < queueMax * 0.8) return [];
      const isFull = waiting >= queueMax;
      const text = isFull
        ? `The queue of \`${kind}/${stage}\` is full (${count(queueMax)}): submissions are refused`
        : `The queue of \`${kind}/${stage}\` is ${Math.floor((waiting / queueMax) * 100)} % full (${count(waiting)} of ${count(queueMax)})`;
      return [
        {
          tone: isFull ? ("bad" as const) : ("care" as const),
          text,
          to: `/jobs?status=pending&kind=${kind}&stage=${stage}`,
        },
      ];
    }),
  );
}

function ofWaits({ longWaits = [], now }: AttentionFacts): Concern[] {
  return longWaits.map(({ kind, type, name, count: jobs, since, usualMs, jobId }) => {
    const what = `${plural(jobs, "job")} of \`${kind}\` ${jobs === 1 ? "waits" : "wait"} for the ${WAITED[type] ?? type} \`${name}\``;
    const long = `${jobs === 1 ? "" : "up to "}${duration(now - Date.parse(since))}, usually at most ${duration(usualMs)}`;
    const to =
      jobs === 1 ? `/jobs/${jobId}` : `/jobs?status=pending&kind=${kind}&waitsFor=${type}:${encodeURIComponent(name)}`;
    return { tone: "care", text: `${what}: ${long}`, to };
  });
}

/** In a sentence. Other types are named by their own word. */
const WAITED: Partial<Record<LongWait["type"], string>> = { children: "children", after: "dependency" };

function ofKinds({ kinds = [], held: words = {} }: AttentionFacts): Concern[] {
  return kinds.flatMap(({ kind, paused, stages }) => {
    const waiting = stages.reduce((sum, { counts }) => sum + counts.ready + counts.suspect, 0);
    const held = stages.reduce((sum, { counts }) => sum + counts.held, 0);
    return [
      ...(paused
        ? [
            {
              tone: "care" as const,
              text: `The kind \`${kind}\` is paused; ${plural(waiting, "job waits", "jobs wait")}`,
              to: "/pools",
            },
          ]
        : []),
      ...(held > 0
        ? [
            {
              tone: "care" as const,
              ...heldJobs(kind, held, words[kind]),
            },
          ]
        : []),
    ];
  });
}

function heldJobs(kind: string, held: number, words: HeldWords | undefined): Pick<Concern, "text" | "to"> {
  if (words) return { text: plural(held, words.one, words.many), to: words.path };
  return {
    text: `${plural(held, "job")} of \`${kind}\` ${held === 1 ? "is" : "are"} held and waiting for release`,
    to: `/jobs?status=held&kind=${kind}`,
  };
}
