// What the project set out to reach, judged on the medians of this run.

import { SUBJECTS, timeOf } from "./diagrams/sources.ts";
import { figure, median, type Result } from "./harness.ts";
import { NONE_HELD } from "./measures/postgres/held.ts";
import { BY_ITSELF } from "./measures/postgres/keyed.ts";

export interface Verdict {
  what: string;
  target: string;
  measured: string;
  reached: boolean | undefined;
}

export function judge(results: Result[]): Verdict[] {
  const find = (measure: string, who: string, setting: string | RegExp) =>
    results.find(
      (each) =>
        each.measure === measure &&
        each.who === who &&
        each.failed === undefined &&
        (typeof setting === "string" ? each.setting === setting : setting.test(each.setting)),
    );
  const main = (result: Result | undefined) => result && Object.values(result.figures)[0];
  const value = (measure: string, who: string, setting: string | RegExp) => main(find(measure, who, setting));
  const ratio = (above: number | undefined, below: number | undefined) =>
    above === undefined || below === undefined ? undefined : above / below;

  const service = (setting: string) => find("diagram-service", "millrace", setting);
  const alone = service("sync, 1 client");
  const async = service("async, 64 connections");
  const timesAsFast = (who: string) => overTheSet(find("diagram-service", who, "one after the other"), alone);

  const plainjob = value("process", "plainjob", "its worker");
  const with500 = value("process", "millrace normal", "500 processors");
  const sustained = find("sustained", "millrace normal", /^500 processors/);
  const empty = value("claim-time", "millrace normal", "no other rows");
  const tenants = value("claim-time", "millrace normal", /tenants x (1,000|40) /);

  // Of those whose answered submission is on the disk, as ours is; BullMQ on a Redis that flushes once a second is in the table.
  const bestPeer = (measure: string, setting: string) => {
    const found = ["graphile-worker", "pg-boss", "bullmq durable"]
      .map((who) => value(measure, who, setting))
      .filter((each) => each !== undefined);
    return found.length > 0 ? Math.max(...found) : undefined;
  };
  const onPostgres = (measure: string, setting: string | RegExp) => find(measure, "millrace postgres", setting);
  const overPeers = (measure: string, setting: string, who = "millrace postgres") =>
    ratio(value(measure, who, setting), bestPeer(measure, setting));

  const workflows = (who: string) => value("workflow-steps", who, /./);
  const timesPlain = (who: string) => find("workflow-fan-out", who, /./)?.figures["times plain"];
  const resumed = (who: string) => value("workflow-resumed", who, /./);

  const simulated = results.filter(({ measure, failed }) => measure === "simulation" && failed === undefined);

  return [
    atMost(
      "simulation, largest error against real runs",
      15,
      simulated.length > 0 ? Math.max(...simulated.map((each) => main(each) ?? Number.POSITIVE_INFINITY)) : undefined,
      "%",
    ),
    atLeast(
      "workflows of 10 steps on PostgreSQL, against DBOS",
      3,
      ratio(workflows("millrace postgres"), workflows("dbos")),
      "x",
    ),
    atMost("fan-out and join, against plain jobs, SQLite", 2, timesPlain("millrace full"), "x"),
    atMost("fan-out and join, against plain jobs, PostgreSQL", 2, timesPlain("millrace postgres"), "x"),
    atMost("signal to resumed, SQLite, p99", 20, resumed("millrace full"), "ms"),
    atMost("signal to resumed, PostgreSQL, p99", 20, resumed("millrace postgres"), "ms"),
    atLeast("process, 500 processors, normal", 100_000, with500, "jobs/s"),
    atLeast("process, 500 processors, normal, against plainjob", 5, ratio(with500, plainjob), "x"),
    atLeast("process, 10 processors, normal", 25_000, value("process", "millrace normal", "10 processors"), "jobs/s"),
    atLeast(
      "process, 10 processors, full (the default)",
      25_000,
      value("process", "millrace full", "10 processors"),
      "jobs/s",
    ),
    atLeast("sustained, normal", 40_000, main(sustained), "jobs/s"),
    atLeast("sustained, full", 40_000, value("sustained", "millrace full", /^500 processors/), "jobs/s"),
    ...["millrace full", "millrace postgres"].flatMap((who) => [
      atMost(`recovery of 1,000 jobs, ${who}`, 5_000, value("recovery", who, /^1,000 /), "ms"),
      atMost(
        `poison: dead letters among innocents, ${who}`,
        0,
        find("poison", who, /./)?.figures["innocent dead letters"],
        "jobs",
      ),
    ]),
    atMost("sustained: finished rows left at the end, in seconds of work", 2, secondsLeft(sustained), "s"),
    ...[100, 500].flatMap((batch) =>
      ["submit", "claim+settle"].map((what) => {
        const setting = `${what}, batch ${batch}`;
        const slower = ratio(
          value("durability", "millrace normal", setting),
          value("durability", "millrace full", setting),
        );
        return atMost(`normal over full, ${setting}`, 2, slower, "x");
      }),
    ),
    ...[100, 1_000].map((batch) => {
      const setting = `batches of ${batch}`;
      const ours = value("submit-bulk", "millrace normal", setting);
      return atLeast(
        `submit in ${setting} against plainjob, both normal`,
        1,
        ratio(ours, value("submit-bulk", "plainjob", setting)),
        "x",
      );
    }),
    atMost("latency p99, one process, full", 5, value("latency", "millrace full", "one process"), "ms"),
    ...["two processes", "two processes, a job every 12 ms"].map((setting) =>
      atMost(`latency p99, ${setting}, full`, 20, value("latency", "millrace full", setting), "ms"),
    ),
    ...["finished", "pending", "scheduled"].map((rows) => {
      const full = value("claim-time", "millrace normal", new RegExp(`^(1,000,000|20,000) ${rows}`));
      return atMost(`claim + settle, most ${rows} rows, over none`, 1.5, ratio(full, empty), "x");
    }),
    atMost("claim + settle, 1,000 tenants, most rows, over none (one tenant)", 1.5, ratio(tenants, empty), "x"),
    atMost(
      "claim + settle, 1,000 tenants, most rows over few",
      1.5,
      ratio(tenants, value("claim-time", "millrace normal", "1,000 tenants x 20 pending")),
      "x",
    ),
    atMost(
      "HTTP p99, 64 connections, info logs",
      50,
      find("http", "millrace info", "64 connections")?.figures["p99 ms"],
      "ms",
    ),
    ...(
      [
        ["info", 0.2],
        ["warn", 0.35],
      ] as const
    ).map(([level, target]) => {
      const bare = value("http", "bare Hono route", "64 connections");
      const ours = value("http", `millrace ${level}`, "64 connections");
      return atLeast(`HTTP, 64 connections, ${level} logs, of the bare route`, target, ratio(ours, bare), "x");
    }),
    atMost(
      "a diagram beside as many endless ones as there are renderers, of 2 x its quiet time + 1 s",
      1,
      value("beside-hostile", "millrace full", "everyday diagrams"),
      "x",
    ),
    atLeast("a diagram over HTTP, sync, against mermaid-cli", 50, timesAsFast("mermaid-cli"), "x"),
    atLeast("a diagram over HTTP, sync, against a fresh page", 20, timesAsFast("fresh page"), "x"),
    atLeast("a diagram over HTTP, sync, against a warm page", 1, timesAsFast("warm page"), "x"),
    atMost("what sync adds to the renderer alone, p50", 10, alone?.figures["sync adds ms"], "ms"),
    ...["sync POST", "GET /d/"].map((what) =>
      atLeast(`cache hits, ${what}`, 5_000, main(service(`in the cache, ${what}, 16 connections`)), "hits/s"),
    ),
    atMost("POST /render p99, async, 64 connections, while renders run", 50, main(async), "ms"),
    atMost("from start to the first diagram", 5, main(service("start to first diagram")), "s"),
    ...["article-extraction-benchmark", "readability"].flatMap((corpus) => {
      const found = find("site-main-text", "millrace", corpus);
      return [
        atLeast(`main text, ${corpus}, F1`, 93, found?.figures["F1"], "%"),
        atMost(`pages with a finding of hidden text, ${corpus}`, 1, found?.figures["% with hidden text"], "%"),
      ];
    }),
    ...CORPUS_TARGETS.map(([group, name, what, bound, target]) => {
      const measured = find("diagram-corpus", "millrace full", group)?.figures[name];
      return bound === "most" ? atMost(what, target, measured, "%") : atLeast(what, target, measured, "%");
    }),
    ...(["ms", "blocked ms", "more MB"] as const).map((name) => {
      const found = results.filter(({ measure, failed }) => measure === "site-hostile" && failed === undefined);
      const worst = found.length > 0 ? Math.max(...found.map(({ figures }) => figures[name] ?? 0)) : undefined;
      const [what, target, unit] = HOSTILE[name];
      return atMost(what, target, worst, unit);
    }),
    ...DASHBOARD.map(([name, what, target, unit]) =>
      atMost(what, target, find("dashboard", "millrace full", "in Chromium")?.figures[name], unit),
    ),
    // The fastest peer keeps nothing of what is done; by default we do.
    ...[50, 500, 2_000].flatMap((processors) => {
      const setting = `${processors} processors`;
      const over = (who: string) => overPeers("postgres-process", setting, who);
      return [
        atLeast(`PostgreSQL: process, ${setting}, against the best peer`, 2, over("millrace postgres"), "x"),
        atLeast(`... keeping nothing of what is done`, 2, over("millrace postgres keep none"), "x"),
      ];
    }),
    ...[
      ["1 in flight", 1],
      ["50 in flight", 2],
      ["1,000 at once", 1],
    ].map(([setting, target]) =>
      atLeast(
        `PostgreSQL: submit, ${setting}, against the best peer`,
        target as number,
        overPeers("postgres-submit", setting as string),
        "x",
      ),
    ),
    ...["1 connection", "50 connections", "200 connections"].map((setting) =>
      atLeast(
        `PostgreSQL: a row and a job in one transaction, ${setting}, against the best peer`,
        1,
        overPeers("postgres-within", setting),
        "x",
      ),
    ),
    atMost(
      "PostgreSQL: submit p99 beside 50 held transactions, over none",
      1.5,
      ratio(main(onPostgres("postgres-held", / held$/)), main(onPostgres("postgres-held", NONE_HELD))),
      "x",
    ),
    ...[BY_ITSELF, "10,000 keys, in batches of 5,000"].map((setting) =>
      atLeast(
        `PostgreSQL: one job of a key at a time, against pg-boss, ${setting}`,
        3,
        ratio(value("postgres-keyed", "millrace postgres", BY_ITSELF), value("postgres-keyed", "pg-boss", setting)),
        "x",
      ),
    ),
    ...["millrace normal", "millrace postgres"].map((who) =>
      atMost(
        `claim of 10 of many keys, over one key, ${who}`,
        1.5,
        ratio(value("claim-keys", who, /,000 keys$/), value("claim-keys", who, "one key")),
        "x",
      ),
    ),
    atMost("PostgreSQL: latency p99, two processes", 20, main(onPostgres("postgres-latency", "two processes")), "ms"),
    atMost(
      "PostgreSQL: claim of 10 with most rows in one tenant's backlog, over none",
      1.5,
      ratio(main(onPostgres("postgres-claim", /pending$/)), main(onPostgres("postgres-claim", "no other rows"))),
      "x",
    ),
    ...["", ", 20 tenants"].map((tenants) =>
      atMost(
        `PostgreSQL: claim p99 under a held snapshot, 500 jobs/s${tenants}`,
        50,
        main(onPostgres("postgres-snapshot", new RegExp(`^snapshot held for \\d+ s${tenants}$`))),
        "ms",
      ),
    ),
    ...(
      [
        ["MB", 15, "MB"],
        ["packages", 25, ""],
        ["direct", 12, ""],
        ["import ms", 200, "ms"],
      ] as const
    ).map(([name, most, unit]) =>
      atMost(`install: ${name}`, most, find("install", "millrace" as never, /./)?.figures[name], unit),
    ),
    atMost("idle CPU, 3 kinds", 1, value("idle-cpu", "millrace full", "3 kinds"), "% of a core"),
  ];
}

const HOSTILE = {
  ms: ["the slowest of the hostile pages", 2_000, "ms"],
  "blocked ms": ["the longest that one holds up other work", 200, "ms"],
  "more MB": ["the most that one takes in memory", 150, "MB"],
} as const;

const DOCUMENTS = "mermaid documents";
/** Of real sources (--corpus), beside what their own tools draw. */
const CORPUS_TARGETS = [
  [DOCUMENTS, "line through a label", "Mermaid: the line runs through an edge's label", "most", 0],
  [DOCUMENTS, "no font", "Mermaid: a glyph that no font has", "most", 0],
  [DOCUMENTS, "words broken", "Mermaid: a word broken where the browser breaks none", "most", 0],
  [DOCUMENTS, "letters wrong", "Mermaid: letters lost or wrong", "most", 0],
  [DOCUMENTS, "lines differ", "Mermaid: a label with other lines", "most", 1],
  [DOCUMENTS, "size within 1 px", "Mermaid: size within 1 px of the browser's", "least", 98],
  [DOCUMENTS, "ink over 5 %", "Mermaid: more than 5 % of the ink differs from the browser's", "most", 2],
  [DOCUMENTS, "PNG unlike SVG over 5 %", "Mermaid: PNG differs from SVG by more than 5 % of the ink", "most", 0],
  [DOCUMENTS, "librsvg over 10 %", "Mermaid: librsvg's picture differs by more than 10 % of the ink", "most", 2],
  ["d2", "dropped icons", "D2: icons dropped without a warning", "most", 0],
  ["d2", "ink over 5 %", "D2: more than 5 % of the ink differs from D2's own drawing", "most", 5],
  ["graphviz", "refused", "Graphviz: refused though upstream draws it", "most", 0],
] as const;

const DASHBOARD = [
  ["ready ms", "the dashboard, ready on loopback, cache empty", 1_000, "ms"],
  ["script kB", "script of its first load, compressed", 200, "kB"],
  ["longest task ms", "its longest task while 200 jobs a second change", 100, "ms"],
] as const;

/** How many times longer the other takes: the median over the diagrams that both drew. */
function overTheSet(other: Result | undefined, ours: Result | undefined): number | undefined {
  const ratios = SUBJECTS.map(timeOf).flatMap((time) => {
    const [theirs, own] = [other?.figures[time], ours?.figures[time]];
    return theirs === undefined || own === undefined ? [] : [theirs / own];
  });
  return ratios.length > 0 ? median(ratios) : undefined;
}

function secondsLeft(sustained: Result | undefined): number | undefined {
  if (!sustained) return undefined;
  return (sustained.figures["left"] as number) / (sustained.figures["jobs/s"] as number);
}

function atLeast(what: string, target: number, measured: number | undefined, unit: string): Verdict {
  return {
    what,
    target: `>= ${figure(target)} ${unit}`,
    measured: said(measured, unit),
    reached: measured === undefined ? undefined : measured >= target,
  };
}

function atMost(what: string, target: number, measured: number | undefined, unit: string): Verdict {
  return {
    what,
    target: `<= ${figure(target)} ${unit}`,
    measured: said(measured, unit),
    reached: measured === undefined ? undefined : measured <= target,
  };
}

const said = (measured: number | undefined, unit: string) =>
  measured === undefined ? "not measured" : `${figure(measured)} ${unit}`;
