import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { LogLine } from "../../src/client/index.ts";
import { useClient } from "../lib/data.ts";
import { clock, exact, preview } from "../lib/format.ts";
import { Panel } from "../ui/page.tsx";

const PAGE = 1_000;

/** Log lines as they are written. The list follows its end unless the reader has scrolled up. */
export function Logs({ jobId, running }: { jobId: string; running: boolean }) {
  const client = useClient();
  const kept = useRef<LogLine[]>([]);
  const { data: lines = [], refetch } = useQuery({
    queryKey: ["logs", jobId],
    queryFn: async ({ signal }) => {
      const after = kept.current.at(-1)?.id ?? 0;
      const more = await client.logs(jobId, { after, limit: PAGE, signal });
      if (more.length > 0) kept.current = [...kept.current, ...more];
      return kept.current;
    },
    refetchInterval: running ? 1_000 : 10_000,
  });
  const was = useRef(running);
  useEffect(() => {
    // What it wrote last is stored as it settles.
    if (was.current && !running) void refetch();
    was.current = running;
  }, [running, refetch]);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after new lines are drawn
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  return (
    <Panel title="Log" aside={running ? <span>following</span> : undefined}>
      {lines.length === 0 ? (
        <p className="panel-body dim">
          No log lines{running ? " yet" : ""}. Processors write here with <code>ctx.log</code>.
        </p>
      ) : (
        <div
          className="log"
          ref={box}
          role="log"
          aria-label="Log lines"
          tabIndex={0}
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            follows.current = scrollHeight - scrollTop - clientHeight < 30;
          }}
        >
          {lines.map(({ id, at, level, message, data }) => (
            <div key={id} className={`log-line ${level}`}>
              <time dateTime={at} title={exact(Date.parse(at))}>
                {clock(Date.parse(at), true)}
              </time>
              <span className="log-level">{level}</span>
              <span>
                {message} {data !== undefined && <span className="dim">{preview(data, 400)}</span>}
              </span>
            </div>
          ))}
        </div>
      )}
    </Panel>
  );
}
