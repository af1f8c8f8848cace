import type { OperationInfo } from "../../src/client/index.ts";
import { useLiveQuery } from "../lib/data.ts";
import { count } from "../lib/format.ts";
import { Link } from "../ui/link.tsx";
import { useWatchedOperations } from "./watched.ts";
import { ACTION_WORDS, operationProgress } from "./words.ts";
import "./operations.css";

const anyMove = () => true;

/** The operations that have not ended. One query for the menu and the bar on every page. */
export function useRunningOperations(): readonly OperationInfo[] {
  const query = useLiveQuery<OperationInfo[]>({
    key: ["operations", "live"],
    load: async (client, signal) => (await client.operations.list({ live: true, limit: 20 }, { signal })).operations,
    // While one runs, its progress is worth a look each second or two; otherwise a change tells of it.
    everyMs: (operations) => ((operations?.length ?? 0) > 0 ? 1_500 : 15_000),
    concerns: anyMove,
  });
  return query.data ?? [];
}

/** The progress of what runs, on every page: it does not need this page to go on. */
export function RunningOperations() {
  const operations = useRunningOperations();
  useWatchedOperations();
  return (
    <div role="status" aria-label="Operations">
      {operations.map((operation) => (
        <OperationStrip key={operation.id} operation={operation} />
      ))}
    </div>
  );
}

function OperationStrip({ operation }: { operation: OperationInfo }) {
  const { id, action, total, state, waitsFor } = operation;
  const words = ACTION_WORDS[action];
  return (
    <div className="operation-strip">
      <Link to={`/operations?id=${id}`} className="operation-name">
        {state === "paused" ? "Paused: " : ""}
        {words.running} {count(total)} {total === 1 ? "job" : "jobs"}
      </Link>
      <progress value={operationProgress(operation)} max={1} aria-label={`${words.running} ${count(total)} jobs`} />
      <span className="dim number">
        {Math.floor(operationProgress(operation) * 100)} %{waitsFor ? ` · ${waitsFor}` : ""}
      </span>
    </div>
  );
}
