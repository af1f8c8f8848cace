// Who read the site, from its log: counted line by line, so that a log of gigabytes takes no more memory than a short one.

import { type BotPurpose, botOf } from "./bots.ts";
import { parseLine } from "./parse-line.ts";
import type { Verification } from "./ranges.ts";

export interface BotVisits {
  readonly bot: string;
  readonly operator: string;
  readonly purpose: BotPurpose;
  requests: number;
  /** Answered with 2xx or 304. */
  answered: number;
  /** Answered with 401, 403 or 429: something shuts the bot out. */
  refused: number;
  /** Answered with another 4xx or 5xx. */
  failed: number;
  verified: number;
  unverified: number;
  /** From an address outside the bot's published ranges. They count in no other figure. */
  forged: number;
  firstDay: string;
  lastDay: string;
  readonly pages: { path: string; requests: number }[];
}

export interface LogReport {
  lines: number;
  /** Lines in no known format. */
  unreadable: number;
  requestsByPurpose: Record<BotPurpose, number>;
  bots: BotVisits[];
}

const MOST_PATHS = 20_000;
const SHOWN_PAGES = 10;

export class LogTally {
  #lines = 0;
  #unreadable = 0;
  readonly #bots = new Map<string, BotVisits>();
  readonly #paths = new Map<string, Map<string, number>>();
  readonly #verify: (bot: string, ip: string) => Verification;

  constructor(verify: (bot: string, ip: string) => Verification) {
    this.#verify = verify;
  }

  add(line: string): void {
    if (line.trim() === "") return;
    this.#lines++;
    const request = parseLine(line);
    if (request === undefined) {
      this.#unreadable++;
      return;
    }
    const bot = botOf(request.agent);
    if (bot === undefined) return;
    const visits = this.#visitsOf(bot);
    const verdict = this.#verify(bot.name, request.ip);
    visits[verdict]++;
    if (verdict === "forged") return;
    visits.requests++;
    if (request.status < 400) visits.answered++;
    else if (REFUSALS.has(request.status)) visits.refused++;
    else visits.failed++;
    if (request.day !== "") {
      if (visits.firstDay === "" || request.day < visits.firstDay) visits.firstDay = request.day;
      if (request.day > visits.lastDay) visits.lastDay = request.day;
    }
    const paths = this.#paths.get(bot.name) ?? new Map<string, number>();
    this.#paths.set(bot.name, paths);
    if (paths.has(request.path) || paths.size < MOST_PATHS) paths.set(request.path, (paths.get(request.path) ?? 0) + 1);
  }

  report(): LogReport {
    const bots = [...this.#bots.values()]
      .map((visits) => ({ ...visits, pages: this.#pagesOf(visits.bot) }))
      .sort((a, b) => b.requests - a.requests || (a.bot < b.bot ? -1 : 1));
    const sum = (purpose: BotPurpose) =>
      bots.filter((each) => each.purpose === purpose).reduce((total, { requests }) => total + requests, 0);
    return {
      lines: this.#lines,
      unreadable: this.#unreadable,
      requestsByPurpose: { training: sum("training"), search: sum("search"), user: sum("user") },
      bots,
    };
  }

  #visitsOf({ name, operator, purpose }: { name: string; operator: string; purpose: BotPurpose }): BotVisits {
    const known = this.#bots.get(name);
    if (known !== undefined) return known;
    const counts = { requests: 0, answered: 0, refused: 0, failed: 0, verified: 0, unverified: 0, forged: 0 };
    const visits: BotVisits = { bot: name, operator, purpose, ...counts, firstDay: "", lastDay: "", pages: [] };
    this.#bots.set(name, visits);
    return visits;
  }

  #pagesOf(bot: string): BotVisits["pages"] {
    return [...(this.#paths.get(bot) ?? [])]
      .map(([path, requests]) => ({ path, requests }))
      .sort((a, b) => b.requests - a.requests || (a.path < b.path ? -1 : 1))
      .slice(0, SHOWN_PAGES);
  }
}

const REFUSALS = new Set([401, 403, 429]);
