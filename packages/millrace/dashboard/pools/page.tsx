import type { KindInfo, PoolInfo } from "../../src/client/index.ts";
import { useAct } from "../lib/data.ts";
import { useKinds, usePools } from "../lib/facts.ts";
import { count, duration, plural } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";
import { ProcessorTile } from "./processor.tsx";
import "./pools.css";

export function PoolsPage() {
  const pools = usePools();
  const kinds = useKinds();
  return (
    <Page title="Pools" about="Every processor of every process, by kind and stage.">
      <Loaded query={kinds}>
        {(all) => (
          <div className="stack">
            {all.length === 0 && (
              <section className="panel">
                <Empty title="No kinds yet.">Start a worker with your kinds: millrace serve --load ./kinds.ts</Empty>
              </section>
            )}
            {all.map((kind) => (
              <Kind key={kind.kind} kind={kind} pools={pools.data ?? []} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Kind({ kind, pools }: { kind: KindInfo; pools: readonly PoolInfo[] }) {
  const { paused } = kind;
  const toggle = useAct({
    run: (client) => (paused ? client.resume(kind.kind) : client.pause(kind.kind)),
    done: () =>
      paused ? `${kind.kind} is resumed.` : `${kind.kind} is paused. Running jobs finish; no new ones start.`,
  });
  return (
    <section className="panel" aria-label={`Kind ${kind.kind}`}>
      <header className="panel-head">
        <div className="kind-name">
          <h2>{kind.kind}</h2>
          {paused && <Badge tone="care">paused</Badge>}
          {!kind.served && <Badge tone="bad">not served by any living process</Badge>}
        </div>
        <div className="panel-aside">
          <Link to={`/jobs?kind=${kind.kind}`}>Jobs</Link>
          <Button
            className="small"
            icon={paused ? "play" : "pause"}
            busy={toggle.isPending}
            aria-label={`${paused ? "Resume" : "Pause"} ${kind.kind}`}
            onClick={() => toggle.mutate()}
          >
            {paused ? "Resume" : "Pause"}
          </Button>
        </div>
      </header>
      {kind.stages.map((stage) => (
        <Stage key={stage.stage} kind={kind.kind} stage={stage} pools={pools} isPaused={paused} />
      ))}
    </section>
  );
}

interface StageProps {
  readonly kind: string;
  readonly stage: KindInfo["stages"][number];
  readonly pools: readonly PoolInfo[];
  readonly isPaused: boolean;
}

function Stage({ kind, stage, pools, isPaused }: StageProps) {
  const own = pools.filter((pool) => pool.kind === kind && pool.stage === stage.stage);
  const { ready, suspect, scheduled, held } = stage.counts;
  const waiting = ready + suspect;
  const limits = [
    stage.timeoutMs !== undefined && `${duration(stage.timeoutMs)} for an attempt`,
    stage.maxAttempts !== undefined && plural(stage.maxAttempts, "attempt"),
    stage.isolation === "process" && "in child processes",
    stage.pace && `${stage.pace.count} starts per ${duration(stage.pace.perMs)}`,
  ].filter((part) => typeof part === "string");
  return (
    <div className="pool">
      <div className="pool-about">
        <h3>{stage.stage}</h3>
        <p className="dim">{limits.join(", ")}</p>
        <Queue waiting={waiting} most={stage.queueMax ?? 0} />
        {(scheduled > 0 || held > 0) && (
          <p className="dim">
            {[scheduled > 0 && `${count(scheduled)} scheduled`, held > 0 && `${count(held)} held`]
              .filter(Boolean)
              .join(", ")}
          </p>
        )}
      </div>
      <div className="instances">
        {own.length === 0 && <p className="dim">No process serves this stage. Its jobs wait.</p>}
        {own.map((pool) => (
          <Instance key={pool.instance} pool={pool} isPaused={isPaused} waiting={waiting} />
        ))}
      </div>
    </div>
  );
}

interface InstanceProps {
  readonly pool: PoolInfo;
  readonly isPaused: boolean;
  readonly waiting: number;
}

/** What is wrong comes first, then what works. Idle processors are a number: a wall of them hides the others. */
function Instance({ pool, isPaused, waiting }: InstanceProps) {
  const broken = pool.processors.filter(({ state }) => state === "error");
  const busy = pool.processors.filter(({ state }) => state === "busy");
  const idle = pool.processors.length - broken.length - busy.length;
  return (
    <div>
      <p className="instance dim">
        <code>{pool.instance}</code>
        {isStale(pool) && " has not reported for a while"}
      </p>
      <ul className="processors">
        {[...broken, ...busy].map((processor) => (
          <ProcessorTile key={processor.slot} processor={processor} />
        ))}
      </ul>
      {idle > 0 && (
        <p className="dim">
          {count(idle)} of {count(pool.processors.length)} idle: {whyIdle(isPaused, waiting)}
        </p>
      )}
    </div>
  );
}

function whyIdle(isPaused: boolean, waiting: number): string {
  if (isPaused) return "the kind is paused.";
  return waiting === 0 ? "no job is due." : "the jobs that wait may not start yet.";
}

function isStale({ seenAt }: PoolInfo): boolean {
  return Date.now() - Date.parse(seenAt) > 30_000;
}

function Queue({ waiting, most }: { waiting: number; most: number }) {
  const share = most === 0 ? 0 : Math.min(1, waiting / most);
  return (
    <div className="queue">
      <p className="number">
        <b>{count(waiting)}</b> waiting{most > 0 && <span className="dim"> of at most {count(most)}</span>}
      </p>
      {most > 0 && (
        <div className={`queue-bar ${share >= 0.8 ? "full" : ""}`}>
          <div style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  );
}
