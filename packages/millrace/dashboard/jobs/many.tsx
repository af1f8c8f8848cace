import { useQuery } from "@tanstack/react-query";
import type { Client } from "../../src/client/index.ts";
import { sentenceOf, useAct, useClient } from "../lib/data.ts";
import { count, plural } from "../lib/format.ts";
import { watchOperation } from "../operations/watched.ts";
import { startedWords } from "../operations/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { type Filter, inWords } from "./filter.ts";

export interface ManyAct {
  readonly what: "cancel" | "retry";
  /** Either those, or all that match. */
  readonly ids?: readonly string[];
  readonly filter?: Filter;
}

const AT_ONCE = 1_000;
const WORDS = {
  cancel: { title: "Cancel", done: "cancelled", can: "pending or running", button: "Cancel" },
  retry: { title: "Retry", done: "revived as new jobs", can: "failed or cancelled", button: "Retry" },
};

/** Counts first what it would touch, then asks. */
export function ManyDialog({ act, onClose }: { act: ManyAct; onClose: (done: boolean) => void }) {
  const client = useClient();
  const { what, ids, filter } = act;
  const words = WORDS[what];
  const counted = useQuery({
    queryKey: ["count", what, ids, filter],
    queryFn: () => run(client, act, true),
    staleTime: 0,
    gcTime: 0,
  });
  const doIt = useAct({
    run: (own) => run(own, act, false),
    done: ({ said }) => said,
    after: () => onClose(true),
  });
  const matched = counted.data?.matched;
  const about = ids ? `Of the ${plural(ids.length, "selected job")}` : "Of the jobs that match the filter";
  return (
    <Dialog
      error={doIt.error}
      title={`${words.title} ${matched === undefined ? "jobs" : plural(matched, "job")}?`}
      onClose={() => onClose(false)}
      actions={
        <Button
          look={what === "cancel" ? "danger" : "primary"}
          busy={doIt.isPending}
          disabled={!matched}
          onClick={() => doIt.mutate()}
        >
          {words.button} {matched === undefined ? "" : plural(matched, "job")}
        </Button>
      }
    >
      <p>
        {counted.error
          ? sentenceOf(counted.error)
          : matched === undefined
            ? "Counting…"
            : `${about}, ${count(matched)} ${matched === 1 ? "is" : "are"} ${words.can} and will be ${words.done}.`}
      </p>
      {filter && <p className="dim">The filter: {inWords(filter)}.</p>}
      {what === "cancel" && (
        <p className="dim">Running jobs are asked to stop. You can retry a cancelled job as a new job.</p>
      )}
    </Dialog>
  );
}

interface ManyResult {
  readonly matched: number;
  /** The sentence that is shown afterwards. */
  readonly said: string;
}

async function run(client: Client, { what, ids, filter = {} }: ManyAct, dryRun: boolean): Promise<ManyResult> {
  if (!ids) {
    const all = Object.keys(filter).length === 0;
    const operation = await client.operations.start({ action: what, filter, ...(all && { all }), dryRun });
    if (!dryRun) watchOperation(operation);
    return { matched: operation.total, said: startedWords(operation) };
  }
  const call = what === "cancel" ? client.cancelMany : client.retryMany;
  const sum = { matched: 0, changed: 0 };
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const answer = await call({ ids: ids.slice(i, i + AT_ONCE), dryRun });
    sum.matched += answer.matched;
    sum.changed += answer.changed;
  }
  return { matched: sum.matched, said: `${plural(sum.changed, "job")} ${WORDS[what].done}.` };
}
