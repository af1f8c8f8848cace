import { type ReactNode, useState } from "react";
import type { BatchInfo } from "../../src/client/index.ts";
import { useAct, useLiveQuery, useMay } from "../lib/data.ts";
import { count, plural } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { CountBar, CountWords } from "../ui/count-bar.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { CopyButton } from "../ui/json.tsx";
import { Link } from "../ui/link.tsx";
import { Loaded, Page, Panel } from "../ui/page.tsx";
import { Moment } from "../ui/time.tsx";
import { BatchState } from "./page.tsx";
import { jobsOf, partsOf } from "./parts.ts";
import "./batches.css";

/** One batch: how far its jobs are, and what follows. */
export function BatchPage({ batchId }: { batchId: string }) {
  const batch = useLiveQuery<BatchInfo>({
    key: ["batch", batchId],
    everyMs: 5_000,
    load: (client, signal) => client.batch(batchId, { signal }),
  });
  if (!batch.data) {
    return (
      <Page title={batchId}>
        <Loaded query={batch}>{() => null}</Loaded>
      </Page>
    );
  }
  return <One batch={batch.data} />;
}

function One({ batch }: { batch: BatchInfo }) {
  const { id, tenant, total, pending, state } = batch;
  return (
    <Page
      title={id}
      about={
        <span className="batch-about">
          <BatchState batch={batch} />
          <span>tenant {tenant}</span>
        </span>
      }
      actions={<Actions batch={batch} />}
    >
      {state === "open" && (
        <p className="notice off">
          The batch is open: programs can add jobs to it. It ends only after it is sealed
          {pending > 0 ? " and all its jobs have ended." : "."}
        </p>
      )}
      <Panel title="Jobs" aside={total > 0 && <Link to={jobsOf(id)}>Show {plural(total, "job")}</Link>}>
        <div className="batch-progress">
          {total === 0 ? (
            <p className="dim">The batch has no jobs.</p>
          ) : (
            <>
              <p>
                <b className="number">{Math.floor(((total - pending) / total) * 100)} %</b>{" "}
                <span className="dim">
                  {count(total - pending)} of {plural(total, "job")} ended
                </span>
              </p>
              <CountBar parts={partsOf(batch)} label="Jobs by state" />
              <CountWords parts={partsOf(batch)} />
            </>
          )}
        </div>
      </Panel>
      <Facts batch={batch} />
    </Page>
  );
}

function Facts({ batch }: { batch: BatchInfo }) {
  const moments = [
    ["Opened", batch.createdAt],
    ["Sealed", batch.sealedAt],
    ["Cancelled", batch.cancelledAt],
    ["Ended", batch.endedAt],
  ] as const;
  return (
    <Panel title="Facts" aside={<CopyButton text={batch.id} what="Batch id" />}>
      <dl className="facts">
        {moments.flatMap(([name, at]) =>
          at === undefined ? [] : [<Fact key={name} name={name} value={<Moment at={at} />} />],
        )}
        <Fact name="At its end" value={<AtEnd batch={batch} />} />
      </dl>
    </Panel>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** The job that is submitted when the batch ends. */
function AtEnd({ batch: { onEnd, callback } }: { batch: BatchInfo }) {
  if (onEnd === undefined) return "no job is submitted";
  if (callback === undefined) return `a job of the kind ${onEnd} is submitted`;
  return (
    <>
      <Link to={`/jobs/${callback}`} className="mono text-link">
        {callback}
      </Link>{" "}
      <span className="dim">({onEnd})</span>
    </>
  );
}

type BatchAct = "seal" | "cancel" | "retry";

function Actions({ batch }: { batch: BatchInfo }) {
  const may = useMay();
  const [asked, setAsked] = useState<BatchAct>();
  if (!may("submit")) return null;
  const { state, failed } = batch;
  return (
    <>
      {state === "open" && (
        <Button look="primary" onClick={() => setAsked("seal")}>
          Seal…
        </Button>
      )}
      {failed > 0 && <Button onClick={() => setAsked("retry")}>Retry failed…</Button>}
      {state !== "ended" && batch.cancelledAt === undefined && (
        <Button look="danger" onClick={() => setAsked("cancel")}>
          Cancel…
        </Button>
      )}
      {asked && <ActDialog batch={batch} what={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface DialogProps {
  readonly batch: BatchInfo;
  readonly what: BatchAct;
  readonly onClose: () => void;
}

function ActDialog({ batch, what, onClose }: DialogProps) {
  const { id } = batch;
  const act = useAct<void, string>({
    run: async (client) => {
      switch (what) {
        case "seal":
          await client.sealBatch(id);
          return `${id} is sealed.`;
        case "cancel":
          await client.cancelBatch(id);
          return `${id} is cancelled.`;
        case "retry":
          return `${plural(await client.retryBatch(id), "job")} revived.`;
      }
    },
    done: (message) => message,
    after: onClose,
  });
  const { title, text, button } = wordsOf(what, batch);
  return (
    <Dialog
      error={act.error}
      title={title}
      onClose={onClose}
      actions={
        <Button look={what === "cancel" ? "danger" : "primary"} busy={act.isPending} onClick={() => act.mutate()}>
          {button}
        </Button>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}

function wordsOf(what: BatchAct, { id, failed, pending, onEnd }: BatchInfo) {
  switch (what) {
    case "seal":
      return {
        title: `Seal ${id}?`,
        text: `No program can add jobs to it after that. It ends when all its jobs have ended${
          onEnd === undefined ? "." : `, and then a job of the kind ${onEnd} is submitted.`
        }`,
        button: "Seal the batch",
      };
    case "cancel":
      return {
        title: `Cancel ${id}?`,
        text: `The batch is sealed, and its ${plural(pending, "job")} that have not ended are cancelled.`,
        button: "Cancel the batch",
      };
    case "retry":
      return {
        title: `Retry ${plural(failed, "failed job")}?`,
        text: "Each is revived as a new job in its place. The job at the end of the batch is not submitted again.",
        button: "Retry failed",
      };
  }
}
