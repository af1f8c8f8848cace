import type { PoolView } from "../../pool/pool-view.ts";
import type { Store } from "../../store/store.ts";
import { AllProcesses } from "../../telemetry/figures/all-processes.ts";
import type { ProcessMetrics } from "../../telemetry/figures/metrics.ts";
import { type MetricsSources, type MetricsView, metricsView } from "../../telemetry/figures/metrics-view.ts";
import { type WaitingView, waitingView } from "../../telemetry/figures/waiting.ts";
import { prometheusText } from "../../telemetry/prometheus.ts";
import { type Deployments, unservedName } from "../deployments.ts";

/** Figures of this process, and how many jobs stand where in the whole store. */
export class Figures {
  readonly #store: Store;
  readonly #metrics: ProcessMetrics;
  readonly #deployments: Deployments;
  readonly #ownPools: () => PoolView[];
  readonly #all = new AllProcesses();

  constructor(store: Store, metrics: ProcessMetrics, ownPools: () => PoolView[], deployments: Deployments) {
    this.#store = store;
    this.#deployments = deployments;
    this.#metrics = metrics;
    this.#ownPools = ownPools;
  }

  async metrics(): Promise<MetricsView> {
    return metricsView(this.#metrics, await this.#surroundings());
  }

  /** Includes the last figures of other processes on the store, which may be some seconds old. */
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
    return prometheusText(this.#metrics, await this.#surroundings());
  }

  /** Why the pending jobs of a tenant do not run. */
  async waiting(tenant: string): Promise<WaitingView> {
    const [kinds, unserved, pending] = await Promise.all([
      this.#store.kinds(),
      this.#deployments.unserved(),
      this.#store.pending(tenant),
    ]);
    return waitingView({ pending, unserved, paused: pausedOf(kinds) });
  }

  async #surroundings(): Promise<MetricsSources> {
    const [kinds, size, stages, pending] = await Promise.all([
      this.#store.kinds(),
      this.#store.size(),
      this.#deployments.unserved(),
      this.#store.pending(),
    ]);
    const waiting = waitingView({ pending, unserved: stages, paused: pausedOf(kinds) });
    return { kinds, size, unserved: stages.map(unservedName), pools: this.#ownPools(), waiting };
  }
}

function pausedOf(kinds: readonly { kind: string; paused: boolean }[]): ReadonlySet<string> {
  return new Set(kinds.flatMap(({ kind, paused }) => (paused ? [kind] : [])));
}
