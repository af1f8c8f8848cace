import type { PoolView } from "../pool/pools.ts";
import type { Store } from "../store/store.ts";
import { AllProcesses } from "../telemetry/all-processes.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type MetricsView, metricsView, type Surroundings } from "../telemetry/metrics-view.ts";

/** Figures of this process, and how many jobs stand where in the whole store. */
export class Figures {
  readonly #store: Store;
  readonly #metrics: Metrics;
  readonly #ownPools: () => PoolView[];
  readonly #all = new AllProcesses();

  constructor(store: Store, metrics: Metrics, ownPools: () => PoolView[]) {
    this.#store = store;
    this.#metrics = metrics;
    this.#ownPools = ownPools;
  }

  async metrics(): Promise<MetricsView> {
    return metricsView(this.#metrics, await this.#surroundings());
  }

  /** With what the other processes on the store last told, which may be some seconds old. */
  async metricsOfAll(): Promise<MetricsView> {
    const [own, instances] = await Promise.all([this.metrics(), this.#store.instances()]);
    const others = instances
      .filter((instance) => !instance.own)
      .map(({ id, pools: text }) => {
        const pools = JSON.parse(text ?? "[]") as PoolView[];
        return { id, pools, figures: pools[0]?.told };
      });
    return this.#all.added(own, others);
  }

  async prometheus(): Promise<string> {
    // Loaded when first asked for: most programs that embed the engine are never scraped.
    const { prometheusText } = await import("../telemetry/prometheus.ts");
    return prometheusText(this.#metrics, await this.#surroundings());
  }

  /** Stages with work that no living process has a pool for. */
  async unserved(): Promise<string[]> {
    const instances = await this.#store.instances();
    const served = new Set(this.#ownPools().map((pool) => pool.pool));
    for (const { pools } of instances)
      for (const pool of JSON.parse(pools ?? "[]") as PoolView[]) served.add(pool.pool);
    const kinds = await this.#store.kinds();
    return kinds.flatMap(({ kind, stages }) =>
      stages
        .filter(({ counts }) => counts.ready + counts.suspect + counts.scheduled > 0)
        .map(({ stage }) => `${kind}/${stage}`)
        .filter((name) => !served.has(name)),
    );
  }

  async #surroundings(): Promise<Surroundings> {
    const [kinds, size, unserved] = await Promise.all([this.#store.kinds(), this.#store.size(), this.unserved()]);
    return { kinds, size, unserved, pools: this.#ownPools() };
  }
}
