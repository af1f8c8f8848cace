// Fetches what a site's robots.txt allows. Every origin on the way is asked for its robots.txt before anything else is asked of
// it; between two requests to a host there is a pause, and a long one frees the processor.

import { type Context, JobFailure } from "millrace";
import { FetchFault } from "../fetch/fault.ts";
import { type FetchedResponse, type FetchLimits, fetchGuarded } from "../fetch/fetch.ts";
import { checkTarget, type FetchPolicy } from "../fetch/target.ts";
import { reading } from "../reading/reading.ts";
import type { Renderer } from "../render/renderer.ts";
import { type HostTurn, type HostTurns, LocalTurns } from "./host-turns.ts";
import { registrableDomain } from "./links.ts";
import { nap } from "./nap.ts";
import { fetchRobots, type RobotsFile, type RobotsWishes } from "./robots.ts";

export interface CrawlOptions {
  readonly policy: FetchPolicy;
  readonly limits?: Partial<FetchLimits>;
  /** Between two requests to the same host, at least. */
  readonly gapMs: number;
  /** An attempt that has fetched for this long hands its processor on; the steps are kept. */
  readonly turnMs: number;
  /** Whose turn it is at a host, over all runs. Default: this run's alone. */
  readonly turns?: HostTurns;
  /** Runs the scripts of pages that show nothing without them. Default: they stay empty. */
  readonly renderer?: Pick<Renderer, "render">;
}

/** A host's robots.txt, and what it asks of us beside its rules. */
interface HostRobots {
  file: RobotsFile;
  wishes: RobotsWishes;
}

/** A pause longer than this is not slept through in a processor. */
const LONGEST_NAP_MS = 1_500;
/** A step cannot be left for later, so robots.txt waits for its turn, though no longer than this. */
const LONGEST_QUEUE_MS = 15_000;
const MOST_ORIGINS = 5;

/** robots.txt, or the site's own border, keeps us from a page. */
export class NotAllowed extends Error {}

export class AllowedFetch {
  readonly #ctx: Context;
  readonly #options: CrawlOptions;
  readonly #robots = new Map<string, Promise<HostRobots>>();
  readonly #scriptRobots = new Map<string, Promise<RobotsFile>>();
  readonly #turns: HostTurns;
  readonly #startedAt = performance.now();
  /** The step has fetched something, so it would fetch it again if the job were left for later. */
  #isMidStep = false;

  constructor(ctx: Context, options: CrawlOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#turns = options.turns ?? new LocalTurns();
  }

  /** A step that fetches. For its first request the job may be left for later; the others wait for their turn within it. */
  step<T>(name: string, run: () => Promise<T>) {
    return this.#ctx.step(name, () => {
      this.#isMidStep = false;
      return run();
    });
  }

  /** Follows redirects as long as `belongs` says that they stay where they may lead. */
  async get(address: string, belongs: (to: URL) => boolean): Promise<FetchedResponse> {
    let current = address;
    for (let origins = 1; ; origins++) {
      const { origin } = checkTarget(current, this.#options.policy).url;
      const { file, wishes } = await this.robotsOf(origin);
      if (file.state === "closed") throw closed(file, current === address);
      const allows = (url: string) => reading.call("robotsAllow", [file, url], this.#ctx.signal);
      if (!(await allows(current))) throw new NotAllowed(`robots.txt of ${new URL(origin).host} forbids it`);
      await this.#pause(origin, wishes.delayMs);
      const fetched = await this.#fetch(current, async (to) => to.origin === origin && (await allows(to.href)));
      const location = fetched.status >= 300 && fetched.status < 400 ? fetched.headers["location"] : undefined;
      if (location === undefined || !URL.canParse(location, fetched.url)) return fetched;
      const to = new URL(location, fetched.url);
      if (!belongs(to)) throw new NotAllowed(`redirects to another site (${to.host})`);
      if (origins === MOST_ORIGINS) throw new FetchFault("too-many-redirects", "It redirects across too many hosts.");
      current = to.href;
    }
  }

  /** The page as another bot gets it. Undefined: robots.txt forbids it to that bot. */
  async getAs(
    address: string,
    { bot, userAgent }: { readonly bot: string; readonly userAgent: string },
  ): Promise<FetchedResponse | undefined> {
    const { policy, limits } = this.#options;
    const { signal } = this.#ctx;
    const { origin } = checkTarget(address, policy).url;
    const { file, wishes } = await this.robotsOf(origin);
    const allows = (url: string) => reading.call("robotsAllow", [file, url, bot], signal);
    if (file.state === "closed" || !(await allows(address))) return undefined;
    await this.#pause(origin, wishes.delayMs);
    const follow = async (to: URL) => to.origin === origin && (await allows(to.href));
    return fetchGuarded(address, { policy, signal, follow, userAgent, ...(limits && { limits }) });
  }

  /** What a page's scripts ask for: without a pause, as in a visitor's browser, and only where robots.txt allows it. */
  async resource(address: string): Promise<FetchedResponse | undefined> {
    try {
      const { origin } = checkTarget(address, this.#options.policy).url;
      const file = await this.#resourceRobots(origin);
      const allows = (url: string) => reading.call("robotsAllow", [file, url], this.#ctx.signal);
      if (file.state === "closed" || !(await allows(address))) return undefined;
      const fetched = await this.#fetch(address, async (to) => to.origin === origin && (await allows(to.href)));
      return fetched.status >= 300 && fetched.status < 400 ? undefined : fetched;
    } catch (error) {
      if (error instanceof FetchFault) return undefined;
      throw error;
    }
  }

  /** Not a step: it is asked for within one. */
  #resourceRobots(origin: string): Promise<RobotsFile> {
    const known = this.#scriptRobots.get(origin) ?? this.#robots.get(origin)?.then(({ file }) => file);
    if (known !== undefined) return known;
    const { policy, limits } = this.#options;
    const asked = fetchRobots(origin, { policy, signal: this.#ctx.signal, ...(limits && { limits }) });
    this.#scriptRobots.set(origin, asked);
    return asked;
  }

  robotsOf(origin: string): Promise<HostRobots> {
    const known = this.#robots.get(origin);
    if (known !== undefined) return known;
    const asked = this.#askRobots(origin);
    this.#robots.set(origin, asked);
    return asked;
  }

  async #askRobots(origin: string): Promise<HostRobots> {
    const { policy, limits } = this.#options;
    const { signal } = this.#ctx;
    let closed: RobotsFile | undefined;
    try {
      const file = await this.#ctx.step(`robots ${origin}`, async () => {
        checkTarget(origin, policy);
        const { waitMs } = await this.#takeTurn(origin, this.#options.gapMs, LONGEST_QUEUE_MS);
        await nap(Math.min(waitMs, LONGEST_QUEUE_MS), signal);
        const found = await fetchRobots(origin, { policy, signal, ...(limits && { limits }) });
        if (found.state !== "closed") return found;
        // Not kept: the next attempt asks again.
        closed = found;
        throw new Error("closed");
      });
      return { file, wishes: await reading.call("robotsWishes", [file], signal) };
    } catch (error) {
      if (!closed) throw error;
      return { file: closed, wishes: { delayMs: 0, sitemaps: [] } };
    }
  }

  #fetch(address: string, follow: (to: URL) => Promise<boolean>): Promise<FetchedResponse> {
    const { policy, limits } = this.#options;
    return fetchGuarded(address, { policy, signal: this.#ctx.signal, follow, ...(limits && { limits }) });
  }

  async #pause(origin: string, delayMs: number): Promise<void> {
    const { turnMs } = this.#options;
    const mayDefer = !this.#isMidStep;
    if (mayDefer && performance.now() - this.#startedAt > turnMs)
      this.#ctx.defer({ delayMs: 0 }, "waiting for other sites");
    const gapMs = Math.max(this.#options.gapMs, delayMs);
    const { waitMs, isTaken } = await this.#takeTurn(origin, gapMs, mayDefer ? LONGEST_NAP_MS : Infinity);
    if (!isTaken) this.#ctx.defer({ delayMs: waitMs }, `pauses of ${gapMs} ms at ${new URL(origin).host}`);
    if (waitMs > 0) await nap(waitMs, this.#ctx.signal);
    this.#isMidStep = true;
  }

  async #takeTurn(origin: string, gapMs: number, mostMs: number): Promise<HostTurn> {
    if (gapMs === 0) return { waitMs: 0, isTaken: true };
    const { hostname, port } = new URL(origin);
    return this.#turns.take(`${registrableDomain(hostname)}${port === "" ? "" : `:${port}`}`, gapMs, mostMs);
  }
}

function closed(file: RobotsFile, isFirst: boolean): Error {
  const message = `robots.txt of ${new URL(file.origin).host} could not be read (${file.reason ?? "no reason given"}), so nothing is fetched`;
  return isFirst ? new JobFailure(`${message}.`, { code: "robots-unreachable" }) : new NotAllowed(message);
}
