import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { LogLine } from "../../../src/client/index.ts";
import { useClient } from "../../lib/data.ts";
import { exact, preview } from "../../lib/format.ts";
import { saveFile } from "../../lib/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Check, Input, Select } from "../../ui/field.tsx";
import { Panel } from "../../ui/page.tsx";
import { clockWithMs, type Level, logText, matchingLines } from "./log-lines.ts";

const PAGE = 1_000;
const LEVELS = [
  ["debug", "All levels"],
  ["info", "Info and above"],
  ["warn", "Warnings and errors"],
  ["error", "Errors"],
] as const;

/** Log lines as they are written, with a search. The list follows its end unless the reader has scrolled up. */
export function Logs({ jobId, running }: { jobId: string; running: boolean }) {
  const lines = useLines(jobId, running);
  const [search, setSearch] = useState("");
  const [level, setLevel] = useState<Level>("debug");
  const [follows, setFollows] = useState(true);
  const shown = useMemo(() => matchingLines(lines, search, level), [lines, search, level]);
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after new lines are drawn
  useEffect(() => {
    if (follows && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [shown, follows]);
  return (
    <Panel
      title="Log"
      aside={
        lines.length > 0 && (
          <>
            {running && <span>running</span>}
            <Button look="quiet" className="small" onClick={() => saveFile(`${jobId}.log`, new Blob([logText(shown)]))}>
              Download
            </Button>
          </>
        )
      }
    >
      {lines.length === 0 ? (
        <p className="panel-body dim">
          No log lines{running ? " yet" : ""}. Processors write here with <code>ctx.log</code>.
        </p>
      ) : (
        <>
          <search className="log-filter">
            <Input
              label="Search the log"
              labelHidden
              type="search"
              placeholder="Search the log"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            <Select
              label="Level"
              labelHidden
              value={level}
              onChange={(event) => setLevel(event.target.value as Level)}
              options={LEVELS}
            />
            <Check label="Follow" checked={follows} onChange={(event) => setFollows(event.target.checked)} />
            <span className="dim" role="status">
              {shown.length === lines.length ? `${lines.length} lines` : `${shown.length} of ${lines.length} lines`}
            </span>
          </search>
          <div
            className="log"
            ref={box}
            role="log"
            aria-label="Log lines"
            tabIndex={0}
            onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
              setFollows(scrollHeight - scrollTop - clientHeight < 30);
            }}
          >
            {shown.map(({ id, at, level: of, message, data }) => (
              <div key={id} className={`log-line ${of}`}>
                <time dateTime={at} title={exact(Date.parse(at))}>
                  {clockWithMs(Date.parse(at))}
                </time>
                <span className="log-level">{of}</span>
                <span>
                  {message} {data !== undefined && <span className="dim">{preview(data, 400)}</span>}
                </span>
              </div>
            ))}
          </div>
        </>
      )}
    </Panel>
  );
}

function useLines(jobId: string, running: boolean): readonly LogLine[] {
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
  return lines;
}
