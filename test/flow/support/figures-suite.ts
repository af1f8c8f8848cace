// Figures that outlive a restart, on the store that is given.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { KeptFigures } from "../../../packages/millrace/src/engine/figures/kept.ts";
import { type OpenData, promise, type Rig } from "../../../packages/millrace/src/store/contract/rig.ts";
import { ProcessMetrics } from "../../../packages/millrace/src/telemetry/figures/metrics.ts";
import type { MetricsView } from "../../../packages/millrace/src/telemetry/figures/metrics-view.ts";
import type { Log } from "../../../packages/millrace/src/telemetry/log/log.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export function describeFigures(name: string, open: OpenData): void {
  describe(`figures on ${name}`, () => {
    promise(open, "of all processes are kept by the minute and add up after a restart", async (rig) => {
      const [one, two] = [processOn(rig), processOn(rig)];
      one.metrics.submitted("acme", 3);
      two.metrics.submitted("acme", 4);
      two.metrics.submitted("zeta", 1);
      await passed(rig, [one, two]);
      one.metrics.submitted("acme", 2);
      await passed(rig, [one, two]);
      const after = processOn(rig);
      after.metrics.submitted("acme", 5);
      await passed(rig, [after]);
      const points = await pointsOf(rig, after);
      assert.deepEqual(
        points.map(({ submitted, pending }) => [submitted, pending]),
        [
          [8, 7],
          [10, 7],
          [15, 7],
        ],
      );
      assert.equal(points.at(-1)?.perTenant["acme"]?.submitted, 14);
    });

    promise(
      open,
      "of the minute that has begun are kept when the process stops, and nothing of a short one",
      async (rig) => {
        const [long, short] = [processOn(rig), processOn(rig)];
        long.metrics.submitted("acme", 1);
        rig.clock.advance(9_000);
        short.metrics.submitted("acme", 100);
        await short.kept.stop();
        rig.clock.advance(2_000);
        await long.kept.stop();
        assert.equal((await pointsOf(rig, long, MINUTE)).at(-1)?.submitted, 1);
      },
    );

    promise(open, "are measured once a minute, by the process that leads", async (rig) => {
      const [leader, other] = [processOn(rig), processOn(rig)];
      rig.clock.advance(MINUTE);
      await other.kept.keep(false);
      assert.deepEqual(await pointsOf(rig, other), []);
      await leader.kept.keep(true);
      await leader.kept.keep(true);
      const [point, ...more] = await pointsOf(rig, leader);
      assert.deepEqual([point?.dlq, point?.perStage["mail/running"]?.queueSize, more], [2, 6, []]);
    });

    promise(open, "carry a mark where a version of the application was first seen", async (rig) => {
      const [old, later] = [processOn(rig), processOn(rig)];
      const startedAt = rig.clock.now();
      old.deployed = { label: "v1", at: startedAt };
      await passed(rig, [old]);
      later.deployed = { label: "v2", at: rig.clock.now() };
      await passed(rig, [later]);
      // A process of the same version starts later: that is no new version.
      const again = processOn(rig);
      again.deployed = { label: "v2", at: rig.clock.now() };
      await passed(rig, [again]);
      assert.deepEqual(await again.kept.deployments(startedAt, rig.clock.now()), [
        { label: "v1", at: startedAt },
        { label: "v2", at: startedAt + MINUTE },
      ]);
      assert.equal((await again.kept.deployments(startedAt + 1, rig.clock.now())).length, 1);
    });

    promise(open, "are deleted after eight days", async (rig) => {
      const own = processOn(rig);
      own.metrics.submitted("acme", 1);
      await passed(rig, [own]);
      rig.clock.advance(7 * DAY);
      assert.equal((await pointsOf(rig, own, 8 * DAY)).length, 1);
      rig.clock.advance(DAY);
      assert.deepEqual(await pointsOf(rig, own, 9 * DAY), []);
    });

    promise(open, "that could not be stored are stored with the next minute", async (rig) => {
      const own = processOn(rig);
      own.metrics.submitted("acme", 1);
      own.fails = true;
      await passed(rig, [own]);
      assert.deepEqual(own.warned, ["figures not stored"]);
      own.fails = false;
      own.metrics.submitted("acme", 1);
      await passed(rig, [own]);
      assert.equal((await pointsOf(rig, own)).at(-1)?.submitted, 2);
    });
  });
}

interface OwnProcess {
  readonly metrics: ProcessMetrics;
  readonly kept: KeptFigures;
  readonly warned: string[];
  fails: boolean;
  deployed?: { label: string; at: number };
}

function processOn(rig: Rig): OwnProcess {
  const metrics = new ProcessMetrics(rig.clock);
  const warned: string[] = [];
  const log = { warn: (event: string) => void warned.push(event) } as unknown as Log;
  const own: Omit<OwnProcess, "kept"> = { metrics, warned, fails: false };
  const store = {
    listRecords: (filter: never) => rig.store.listRecords(filter),
    putRecord: (record: never) => {
      if (own.fails) throw new Error("The store is away.");
      return rig.store.putRecord(record);
    },
  };
  const read = async () => FIGURES;
  const kept = new KeptFigures({
    ...{ store: store as unknown as typeof rig.store, clock: rig.clock, log, metrics, read },
    newestDeployment: async () => own.deployed,
  });
  return Object.assign(own, { kept });
}

const FIGURES = {
  ...{ pending: 7, running: 1, dlq: 2 },
  perStage: { "mail/running": { queueSize: 6, processors: { idle: 0, busy: 1, error: 0 } } },
} as unknown as MetricsView;

/** A minute goes by. The first process leads. */
async function passed(rig: Rig, processes: readonly OwnProcess[]): Promise<void> {
  rig.clock.advance(MINUTE);
  for (const [i, each] of processes.entries()) await each.kept.keep(i === 0);
}

function pointsOf(rig: Rig, { kept }: OwnProcess, lastMs = 60 * MINUTE) {
  const now = rig.clock.now();
  return kept.points({ from: now - lastMs, until: now + MINUTE, everyMs: MINUTE });
}
