import type { KindInfo, PoolInfo } from "../../src/client/index.ts";
import { count } from "../lib/format.ts";
import { Link } from "../ui/link.tsx";
import { Empty, Panel } from "../ui/page.tsx";

/** A square for every processor: filled is busy, red is in error. */
export function PoolsAtAGlance({ pools, kinds }: { pools: readonly PoolInfo[]; kinds: readonly KindInfo[] }) {
  const names = [...new Set(pools.map(({ pool }) => pool))];
  const paused = new Set(kinds.filter((kind) => kind.paused).map(({ kind }) => kind));
  return (
    <Panel title="Pools" aside={<Link to="/pools">All processors</Link>}>
      {names.length === 0 && (
        <Empty title="No pool is running.">
          Start one with <code>millrace serve</code> or <code>millrace work</code>.
        </Empty>
      )}
      <ul className="glance">
        {names.map((name) => {
          const own = pools.filter(({ pool }) => pool === name);
          const processors = own.flatMap((pool) => pool.processors);
          const busy = processors.filter(({ state }) => state === "busy").length;
          const waiting = own[0]?.queueSize ?? 0;
          return (
            <li key={name}>
              <span className="glance-name">
                {name}
                {paused.has(own[0]?.kind ?? "") && <span className="tag">paused</span>}
              </span>
              <span className="squares" aria-hidden="true">
                {processors.slice(0, 40).map(({ state, slot }, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: slots of several processes repeat
                  <i key={`${slot}-${i}`} className={state} />
                ))}
              </span>
              <span className="dim number">
                {busy} of {processors.length} busy, {count(waiting)} waiting
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
