import type { OperationInfo } from "../../src/client/index.ts";
import { useAct, useLiveQuery, useMay, useSession } from "../lib/data.ts";
import { count, duration, plural } from "../lib/format.ts";
import { useQueryState } from "../lib/router.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Badge, type Tone } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { ACTION_WORDS, operationProgress, progressInWords } from "./words.ts";
import "./operations.css";

const AT_ONCE = 50;
const TONES: Record<OperationInfo["state"], Tone> = {
  running: "running",
  paused: "care",
  stopped: "off",
  completed: "good",
  failed: "bad",
};

/** Acts on many jobs: what runs, and what ran in the last 30 days. */
export function OperationsPage() {
  const [params] = useQueryState();
  const cursor = params.get("cursor") ?? undefined;
  const operations = useLiveQuery<{ operations: OperationInfo[]; nextCursor?: string | undefined }>({
    key: ["operations", "list", cursor ?? ""],
    everyMs: 2_000,
    load: (client, signal) =>
      client.operations.list({ limit: AT_ONCE, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  return (
    <Page
      title="Operations"
      about="Acts on many jobs. The server carries them out by itself: you can close the browser, and a restart does not end them."
    >
      <Loaded query={operations}>
        {({ operations: shown, nextCursor }) =>
          shown.length === 0 ? (
            <section className="panel">
              <Empty title={cursor === undefined ? "No operation yet." : "No older operation."} icon="operations">
                An operation starts when you revive, retry, cancel or delete many jobs at once.
              </Empty>
            </section>
          ) : (
            <section className="panel" aria-label="Operations">
              {shown.map((operation) => (
                <Operation key={operation.id} operation={operation} isNamed={params.get("id") === operation.id} />
              ))}
              {(cursor !== undefined || nextCursor !== undefined) && (
                <p className="batches-more">
                  {cursor !== undefined && <Link to="/operations">Newest</Link>}
                  {nextCursor !== undefined && (
                    <Link to={`/operations?cursor=${encodeURIComponent(nextCursor)}`}>Older</Link>
                  )}
                </p>
              )}
            </section>
          )
        }
      </Loaded>
    </Page>
  );
}

function Operation({ operation, isNamed }: { operation: OperationInfo; isNamed: boolean }) {
  const { allTenants } = useSession();
  const { id, action, total, state, by, tenant, reason, undoOf, startedAt, endedAt, errors } = operation;
  const title = `${ACTION_WORDS[action].title} ${plural(total, "job")}`;
  return (
    <article className={isNamed ? "operation named" : "operation"} aria-label={title}>
      <div className="operation-head">
        <h2>{title}</h2>
        <Badge tone={TONES[state]}>{state}</Badge>
        <code className="dim">{id}</code>
        <Acts operation={operation} title={title} />
      </div>
      <div className="operation-line">
        {endedAt === null && <progress value={operationProgress(operation)} max={1} aria-label={title} />}
        <p>{progressInWords(operation)}</p>
      </div>
      <p className="dim">
        {filterInWords(operation)} · by {by}
        {allTenants && <> · {tenant === null ? "all tenants" : `tenant ${tenant}`}</>} · started <Ago at={startedAt} />
        {endedAt !== null && <>, took {duration(Date.parse(endedAt) - Date.parse(startedAt))}</>}
        {undoOf !== undefined && (
          <>
            {" "}
            · undoes <code>{undoOf}</code>
          </>
        )}
        {reason !== undefined && <> · {reason}</>}
      </p>
      {errors.length > 0 && (
        <ul className="bad-ink">
          {errors.map(({ code, message, count: times, sample }) => (
            <li key={code}>
              {count(times)} × <code>{code}</code>: {message}{" "}
              {sample !== undefined && <Link to={`/jobs/${sample}`}>{sample}</Link>}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

function Acts({ operation: { id, state, undoable, action }, title }: { operation: OperationInfo; title: string }) {
  const may = useMay();
  const act = useAct<"pause" | "resume" | "stop" | "undo", OperationInfo>({
    run: (client, what) => client.operations[what](id as string),
    done: (_, what) => (what === "undo" ? "The operation is being undone." : undefined),
  });
  if (!may("submit")) return null;
  const button = (what: "pause" | "resume" | "stop" | "undo", text: string) => (
    <Button className="small" busy={act.isPending} aria-label={`${text}: ${title}`} onClick={() => act.mutate(what)}>
      {text}
    </Button>
  );
  return (
    <div className="actions">
      {state === "running" && button("pause", "Pause")}
      {state === "paused" && button("resume", "Resume")}
      {(state === "running" || state === "paused") && button("stop", "Stop")}
      {undoable && button("undo", "Undo")}
      {action === "delete" && (state === "completed" || state === "stopped") && (
        <span className="dim">cannot be undone</span>
      )}
    </div>
  );
}

function filterInWords({ filter }: OperationInfo): string {
  if (filter === null) return "Selected jobs";
  const parts = Object.entries(filter).map(([name, value]) => `${name} ${String(value)}`);
  return parts.length === 0 ? "All jobs" : parts.join(", ");
}
