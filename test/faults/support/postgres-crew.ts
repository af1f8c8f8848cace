import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import pg from "pg";
import { ConnectionPool } from "../../../packages/millrace/src/store/postgres/connection/connections.ts";
import { DatabaseTarget } from "../../../packages/millrace/src/store/postgres/connection/target.ts";
import { freshDatabase } from "../../support/postgres.ts";
import { isRoot, NOBODY, PostgresServer } from "../../support/postgres-server.ts";
import { ANOTHER_MACHINE, Crew, type Member } from "./crew.ts";
import { countUnfinishedIn, readDatabase } from "./postgres-facts.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";
import type { StoreFacts } from "./store-facts.ts";

/** What a job waits for that should be finished. */
const LEFT = `SELECT stage, standing, holder, count(*)::int AS jobs, min(run_at) AS run_at, min(job.started_at) AS started_at, (extract(epoch from now())*1000)::bigint AS now,
  max(instance.beat_at) AS beat_at, max(instance.expires_at) AS expires_at
  FROM millrace.job LEFT JOIN millrace.instance ON instance.id = holder GROUP BY stage, standing, holder`;

const LATE_BEATS = `SELECT count(*)::int AS late FROM millrace.instance
  WHERE expires_at > 0 AND beat_at < extract(epoch FROM clock_timestamp()) * 1000 - $1::bigint`;

/** The same processes on one PostgreSQL database, and the same proof at the end. */
export class PostgresCrew extends Crew {
  /** For looking, beside the engine. */
  look: ConnectionPool;

  constructor(test: TestContext, url: string) {
    super(test);
    this.db = url;
    this.look = lookAt(url);
    test.after(() => this.look.close());
  }

  static async gather(test: TestContext): Promise<PostgresCrew> {
    return new PostgresCrew(test, await freshDatabase());
  }

  override async allFinished(withinMs: number): Promise<void> {
    await super.allFinished(withinMs).catch(async (error) => {
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

  override async moveAway(member: Member): Promise<void> {
    await this.look.run("UPDATE millrace.instance SET place = $1 WHERE name LIKE $2", [
      ANOTHER_MACHINE,
      `%:${member.pid}`,
    ]);
  }

  override async leaseEndOf(member: Member): Promise<number> {
    const [row] = await this.look.run<{ at: number }>(
      "SELECT expires_at AS at FROM millrace.instance WHERE name LIKE $1",
      [`%:${member.pid}`],
    );
    return Number(row?.at);
  }

  override async isDraining(member: Member): Promise<boolean> {
    const [row] = await this.look.run<{ draining: boolean }>(
      "SELECT draining FROM millrace.instance WHERE name LIKE $1",
      [`%:${member.pid}`],
    );
    return row?.draining === true;
  }

  /** As a migration of somebody else would: whoever writes to a table of ours waits, whoever reads does not. */
  override async lock(): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.db });
    await client.connect();
    this.beforeItGoes(() => client.end());
    const { rows } = await client.query(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'millrace'",
    );
    await client.query("BEGIN");
    await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(", ")} IN EXCLUSIVE MODE`);
    return async () => void (await client.query("ROLLBACK"));
  }

  override async allBeatWithin(ms: number): Promise<boolean> {
    const [row] = await this.look.run<{ late: number }>(LATE_BEATS, [ms]);
    return row?.late === 0;
  }

  /**
   * The database goes there, its server's log stays: what fills is where the tables are. The server is one of its own: while
   * a page finds no room none of its checkpoints succeeds, and so no database of another test could be dropped.
   */
  override async onSmallDisk(t: TestContext): Promise<SmallDisk | undefined> {
    // The server runs as another user, who has to get there.
    chmodSync(this.folder, 0o711);
    const remove: (() => unknown)[] = [];
    this.beforeItGoes(async () => {
      for (const each of remove) await each();
    });
    const disk = smallDisk(t, join(this.folder, "disk"), (unmount) => remove.push(unmount), 40);
    if (!disk) return undefined;
    const tables = join(disk.folder, "tables");
    mkdirSync(tables);
    if (isRoot()) chownSync(tables, NOBODY, NOBODY);
    await this.look.close();
    const server = await PostgresServer.start();
    remove.unshift(() => server.remove());
    const outside = lookAt(server.url);
    await outside.run(`CREATE TABLESPACE small LOCATION '${tables}'`);
    await outside.run("CREATE DATABASE small TABLESPACE small");
    await outside.close();
    const url = new URL(server.url);
    url.pathname = "/small";
    this.db = url.href;
    this.look = lookAt(this.db);
    return disk;
  }
}

function lookAt(url: string): ConnectionPool {
  return new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 10_000, name: "test" });
}
