import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { sentenceOf, useClient } from "../lib/data.ts";
import { exact } from "../lib/format.ts";

/** The next ten runs of a rule that is being written, in its own zone; or what is wrong with it. */
export function NextRuns({ cron, timeZone }: { cron: string; timeZone: string }) {
  const client = useClient();
  const rule = useDeferredValue(`${cron.trim()}\n${timeZone.trim()}`);
  const [expression = "", zone = ""] = rule.split("\n");
  const { data, error } = useQuery({
    queryKey: ["schedule preview", expression, zone],
    queryFn: ({ signal }) => client.schedules.preview({ cron: expression, timeZone: zone, count: 10 }, { signal }),
    enabled: expression !== "" && zone !== "",
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  if (error) return <p className="field-error">{sentenceOf(error)}</p>;
  if (!data) return null;
  return (
    <div className="next-runs" role="status">
      <p className="dim">{data.length === 0 ? "It never runs." : "The next runs:"}</p>
      <ol>
        {data.map((at) => (
          <li key={at} className="number">
            {exact(Date.parse(at), zone)}
          </li>
        ))}
      </ol>
    </div>
  );
}
