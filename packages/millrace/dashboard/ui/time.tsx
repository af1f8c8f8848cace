import { duration, exact, relative } from "../lib/format.ts";
import { useNow } from "../lib/use-now.ts";

/** A relative time, with the exact time as its title. */
export function Ago({ at }: { at: string }) {
  const now = useNow();
  const moment = Date.parse(at);
  return (
    <time dateTime={at} title={exact(moment)}>
      {relative(moment, now)}
    </time>
  );
}

/** For details: the exact time, and how long ago it was. */
export function Moment({ at }: { at: string }) {
  const now = useNow();
  const moment = Date.parse(at);
  return (
    <time dateTime={at}>
      {exact(moment)} <span className="dim">({relative(moment, now)})</span>
    </time>
  );
}

/** How long it took, or has taken so far. */
export function Lasting({ from, to }: { from: string; to?: string | undefined }) {
  const now = useNow();
  const start = Date.parse(from);
  const end = to === undefined ? Math.max(now, start) : Date.parse(to);
  return (
    <span title={`since ${exact(start)}`}>{to === undefined ? wholeSeconds(end - start) : duration(end - start)}</span>
  );
}

// While it runs tenths would only flicker.
function wholeSeconds(ms: number): string {
  return ms < 1_000 ? "0 s" : duration(Math.floor(ms / 1_000) * 1_000);
}

/** The time left until then. */
export function Left({ until }: { until: string }) {
  const now = useNow();
  const left = Date.parse(until) - now;
  return (
    <span title={`until ${exact(Date.parse(until))}`}>{left > 0 ? `${wholeSeconds(left)} left` : "time is up"}</span>
  );
}
