import { useState } from "react";
import type { DeadLetterGroup } from "../../src/client/index.ts";
import { useMay } from "../lib/data.ts";
import { useDeadLetterGroups } from "../lib/facts.ts";
import { plural } from "../lib/format.ts";
import { useQueryState } from "../lib/router.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/field.tsx";
import { LongText } from "../ui/long-text.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Ago } from "../ui/time.tsx";
import { DiscardDialog, ReviveDialog, type Targets } from "./dialogs.tsx";
import { Letters } from "./letters.tsx";
import "./dead-letters.css";

type DialogRequest = { readonly what: "revive" | "discard"; readonly targets: Targets };

export function DeadLettersPage() {
  const groups = useDeadLetterGroups();
  const may = useMay();
  const [params, change] = useQueryState();
  const [asked, setAsked] = useState<DialogRequest>();
  const kind = params.get("kind") ?? "";
  const all = groups.data?.groups ?? [];
  const kinds = [...new Set([...all.map((group) => group.kind), ...(kind ? [kind] : [])])];
  const shown = all.filter((group) => kind === "" || group.kind === kind);
  const total = shown.reduce((sum, group) => sum + group.count, 0);
  const everything: Targets = {
    about: kind ? `all dead letters of the kind ${kind}` : "all dead letters",
    filter: kind ? { kind } : {},
    count: total,
  };
  return (
    <Page
      title="Dead letters"
      about="Jobs that used up their attempts or cannot be retried, grouped by error. Fix the cause, then revive them: finished stages and steps are not repeated. By default a dead letter is deleted after 30 days (DLQ_RETENTION_MS)."
      actions={
        may("submit") &&
        total > 0 && (
          <>
            <Button onClick={() => setAsked({ what: "revive", targets: everything })}>Revive all {total}…</Button>
            <Button look="danger" onClick={() => setAsked({ what: "discard", targets: everything })}>
              Discard all…
            </Button>
          </>
        )
      }
    >
      {kinds.length > 1 && (
        <div className="group-filter">
          <Select
            label="Kind"
            labelHidden
            value={kind}
            onChange={(event) => change({ kind: event.target.value })}
            options={[["", "Any kind"], ...kinds.map((each) => [each, each] as const)]}
          />
        </div>
      )}
      <Loaded query={groups}>
        {() =>
          shown.length === 0 ? (
            <section className="panel">
              <Empty title="No dead letters." icon="check">
                A job becomes a dead letter when its last attempt fails. To see one, submit the text <code>fail</code>.
              </Empty>
            </section>
          ) : (
            <ul className="groups">
              {shown.map((group) => (
                <Group
                  key={`${group.kind}/${group.stage}/${group.code}/${group.lastError}`}
                  group={group}
                  onAsk={setAsked}
                  acts={may("submit")}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked?.what === "revive" && <ReviveDialog targets={asked.targets} onClose={() => setAsked(undefined)} />}
      {asked?.what === "discard" && <DiscardDialog targets={asked.targets} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

interface GroupProps {
  readonly group: DeadLetterGroup;
  readonly acts: boolean;
  readonly onAsk: (asked: DialogRequest) => void;
}

function Group({ group, acts, onAsk }: GroupProps) {
  const [open, setOpen] = useState(false);
  const { kind, stage, code, lastError, count, firstAt, lastAt } = group;
  const filter = { kind, stage, code, error: lastError };
  const targets: Targets = {
    about: `${plural(count, "dead letter")} with this error`,
    filter,
    count,
    error: lastError,
  };
  return (
    <li className="panel group">
      <div className="group-head">
        <span className="group-count number" title={plural(count, "dead letter")}>
          {count}
        </span>
        <div className="group-what">
          <h2>
            <LongText text={lastError} />
          </h2>
          <p className="dim">
            {kind}/{stage} · <code>{code}</code> ·{" "}
            {count === 1 ? (
              <Ago at={lastAt} />
            ) : (
              <>
                first <Ago at={firstAt} />, last <Ago at={lastAt} />
              </>
            )}
          </p>
        </div>
        <div className="actions">
          <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Hide" : "Show"} {count === 1 ? "it" : "them"}
          </Button>
          {acts && (
            <>
              <Button onClick={() => onAsk({ what: "revive", targets })}>Revive{count > 1 ? ` ${count}` : ""}…</Button>
              <Button look="danger" onClick={() => onAsk({ what: "discard", targets })}>
                Discard…
              </Button>
            </>
          )}
        </div>
      </div>
      {open && <Letters filter={filter} acts={acts} onRevive={(targets) => onAsk({ what: "revive", targets })} />}
    </li>
  );
}
