import { Button, count, Input, Panel, plural, TextArea, useAct, useMay } from "millrace/dashboard";
import { type FormEvent, useState } from "react";
import { type SiteView, sites } from "../client.ts";
import type { SpentView } from "./use-sites.ts";

/** Before money is spent: the prompts, to change or to let go. */
export function Review({ site }: { site: SiteView }) {
  const may = useMay();
  const formed = (site.prompts?.prompts ?? []).map(({ text }) => text).join("\n");
  const [text, setText] = useState<string>();
  const lines = (text ?? formed)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const wrong = lines.find((line) => line.length < 8 || line.length > 200);
  const approve = useAct({
    run: (client) =>
      client
        .with(sites)
        .sites.approvePrompts(site.jobId, text === undefined || text === formed ? {} : { prompts: lines }),
    done: () => "Approved. The run continues.",
  });
  return (
    <Panel title="Review the prompts" aside={site.estimate && <span>about {cost(site.estimate)}</span>}>
      <div className="hold">
        <TextArea
          label="Prompts, one per line"
          rows={Math.min(16, Math.max(5, lines.length + 1))}
          readOnly={!may("submit")}
          value={text ?? formed}
          error={wrong && `8 to 200 characters each: “${wrong.slice(0, 60)}”`}
          hint={plural(lines.length, "prompt")}
          onChange={(event) => setText(event.target.value)}
        />
        {may("submit") && (
          <div className="actions">
            <Button
              look="primary"
              busy={approve.isPending}
              disabled={wrong !== undefined || lines.length === 0}
              onClick={() => approve.mutate()}
            >
              Approve and continue
            </Button>
            {text !== undefined && text !== formed && (
              <Button look="quiet" onClick={() => setText(undefined)}>
                Restore the generated prompts
              </Button>
            )}
          </div>
        )}
      </div>
    </Panel>
  );
}

export function NeedsBudget({ site }: { site: SiteView }) {
  const may = useMay();
  const [usd, setUsd] = useState("");
  const [most, setMost] = useState("");
  const budget = { ...(usd && { usd: Number(usd) }), ...(most && { calls: Number(most) }) };
  const raise = useAct({
    run: (client) => client.with(sites).sites.raiseBudget(site.jobId, budget),
    done: () => "The run continues with the new budget.",
  });
  const finish = useAct({
    run: (client) => client.with(sites).sites.finish(site.jobId),
    done: () => "The run finishes with the answers so far.",
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    raise.mutate();
  };
  return (
    <Panel title="Needs budget" aside={site.estimate && <span>in all about {cost(site.estimate)}</span>}>
      <form className="hold" onSubmit={send}>
        <p>
          {reasonOf(site)}Spent so far: {cost(site.spent)}. Paid answers are kept: a higher budget asks only for the
          missing ones.
        </p>
        {may("submit") && (
          <>
            <div className="two">
              <Input
                label="Dollars in total"
                type="number"
                min={0}
                step="any"
                value={usd}
                onChange={(event) => setUsd(event.target.value)}
              />
              <Input
                label="Calls in total"
                type="number"
                min={1}
                value={most}
                onChange={(event) => setMost(event.target.value)}
              />
            </div>
            <div className="actions">
              <Button look="primary" submits busy={raise.isPending} disabled={Object.keys(budget).length === 0}>
                Raise the budget
              </Button>
              <Button busy={finish.isPending} onClick={() => finish.mutate()}>
                Finish with the answers so far
              </Button>
            </div>
          </>
        )}
      </form>
    </Panel>
  );
}

/** "needs budget: 5 of 18 answers came for 5 calls" as a sentence; its beginning is the panel's title. */
function reasonOf({ job: { heldFor = "" } }: SiteView): string {
  const reason = heldFor.replace(/^needs budget:?\s*/, "");
  return reason === "" ? "" : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. `;
}

function cost({ calls, usd }: SpentView): string {
  return `${plural(calls, "call")}${usd === null ? ", cost unknown" : `, $${usd < 1 ? usd.toFixed(4) : count(Math.round(usd * 100) / 100)}`}`;
}
