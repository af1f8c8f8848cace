import type { TestContext } from "node:test";
import { Pool } from "../../src/store/postgres/connections.ts";
import { Target } from "../../src/store/postgres/target.ts";
import { freshDatabase } from "../support/postgres.ts";
import { Crew, type Member } from "./crew.ts";
import { countUnfinishedIn, readDatabase } from "./postgres-facts.ts";
import type { StoreFacts } from "./store-facts.ts";
import { until } from "./until.ts";

/** What a job waits for that should be finished. */
const LEFT = `SELECT stage, standing, holder, count(*)::int AS jobs, min(run_at) AS run_at, min(job.started_at) AS started_at, (extract(epoch from now())*1000)::bigint AS now,
  max(instance.beat_at) AS beat_at, max(instance.expires_at) AS expires_at
  FROM millrace.job LEFT JOIN millrace.instance ON instance.id = holder GROUP BY stage, standing, holder`;

/** The same processes on one PostgreSQL database, and the same proof at the end. */
export class PostgresCrew extends Crew {
  /** For looking, beside the engine. */
  readonly look: Pool;

  constructor(test: TestContext, url: string) {
    super(test);
    this.db = url;
    this.look = new Pool(new Target(url), { most: 1, limitMs: 10_000, name: "test" });
    test.after(() => this.look.close());
  }

  static async gather(test: TestContext): Promise<PostgresCrew> {
    return new PostgresCrew(test, await freshDatabase());
  }

  override async allFinished(withinMs: number): Promise<void> {
    const finished = async () => (await this.countUnfinished()) === 0;
    await until("every job is finished", finished, withinMs, 50).catch(async (error) => {
      throw new Error(`${error.message} ${JSON.stringify(await this.look.run(LEFT))}`);
    });
  }

  override countUnfinished(): Promise<number> {
    return countUnfinishedIn(this.look);
  }

  override stored(): Promise<StoreFacts> {
    return readDatabase(this.look);
  }

  /** Wherever it stands: what it holds of the server's locks is let go when the statement or its connection times out. */
  override async pause(member: Member): Promise<void> {
    this.history.append({ type: "halted", who: member.by });
    member.signal("SIGSTOP");
  }
}
