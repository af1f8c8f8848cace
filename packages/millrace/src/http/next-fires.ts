import type { Engine } from "./engine.ts";

const SHOWN = 5;
const MOST_KNOWN = 2_000;
/** A rule takes up to a millisecond to compute. After this long, other requests get their turn. */
const TURN_MS = 10;

/** The next fires of cron rules. Each rule is worked out once until its next fire has come. */
export class NextFires {
  readonly #preview: Engine["schedules"]["preview"];
  readonly #now: () => number;
  readonly #known = new Map<string, Date[]>();

  constructor(preview: Engine["schedules"]["preview"], now: () => number) {
    this.#preview = preview;
    this.#now = now;
  }

  /** The next fires, in the order of the rules. */
  async of(rules: readonly { readonly cron: string; readonly timeZone: string }[]): Promise<string[][]> {
    const fires: string[][] = [];
    let turnEndsAt = performance.now() + TURN_MS;
    for (const rule of rules) {
      fires.push(this.#of(rule).map((moment) => moment.toISOString()));
      if (performance.now() < turnEndsAt) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turnEndsAt = performance.now() + TURN_MS;
    }
    return fires;
  }

  #of({ cron, timeZone }: { readonly cron: string; readonly timeZone: string }): Date[] {
    const key = `${timeZone} ${cron}`;
    const known = this.#known.get(key);
    if (known?.[0] && known[0].getTime() > this.#now()) return known;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const fires = this.#preview({ cron, timeZone }, SHOWN);
    this.#known.set(key, fires);
    return fires;
  }
}
