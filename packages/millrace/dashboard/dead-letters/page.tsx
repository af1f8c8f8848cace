import { useState } from "react";
import type { CauseQuery, DeadLetterCause, DeadLetterFilter } from "../../src/client/index.ts";
import { useMay, useSurroundings } from "../lib/data.ts";
import { useDeadLetterCauses, useKinds } from "../lib/facts.ts";
import { plural, count as written } from "../lib/format.ts";
import { useQueryState } from "../lib/router.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/field.tsx";
import { LongText } from "../ui/long-text.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Ago } from "../ui/time.tsx";
import { Typed } from "../ui/typed.tsx";
import { SavedViews } from "../views/saved.tsx";
import { DiscardDialog, ReviveDialog, type Targets } from "./dialogs.tsx";
import { Letters } from "./letters.tsx";
import "./dead-letters.css";

type DialogRequest = { readonly what: "revive" | "discard"; readonly targets: Targets };

const PAGE = 50;
const SORTS = { count: "Most frequent", last: "Latest failure", first: "Oldest failure", kind: "Kind" } as const;

export function DeadLettersPage() {
  const may = useMay();
  const { session } = useSurroundings();
  const kinds = useKinds().data ?? [];
  const [params, change] = useQueryState();
  const [limit, setLimit] = useState(PAGE);
  const [asked, setAsked] = useState<DialogRequest>();
  const [kind, tenant, q] = ["kind", "tenant", "q"].map((name) => params.get(name) ?? "") as [string, string, string];
  const sort = (params.get("sort") ?? "count") as keyof typeof SORTS;
  const fingerprint = params.get("fingerprint") ?? "";
  const filter: DeadLetterFilter = {
    ...(kind && { kind }),
    ...(tenant && { tenant }),
    ...(fingerprint && { fingerprint }),
  };
  const query: CauseQuery = { ...filter, ...(q && { q }), ...(sort in SORTS && { sort }), limit };
  const causes = useDeadLetterCauses(query);
  const { groupCount = 0, total = 0 } = causes.data ?? {};
  const isFiltered = kind !== "" || tenant !== "" || q !== "" || fingerprint !== "";
  const names = [...new Set([...kinds.map((each) => each.kind), ...(kind ? [kind] : [])])];
  const everything: Targets = {
    about: `all dead letters${kind ? ` of the kind ${kind}` : ""}${tenant ? ` of the tenant ${tenant}` : ""}`,
    filter,
    count: total,
  };
  return (
    <Page
      title="Dead letters"
      about="Jobs that used up their attempts or cannot be retried, grouped by cause: messages that differ only in ids, numbers and quoted values are one. Fix the cause, then revive them: finished stages and steps are not repeated. By default a dead letter is deleted after 30 days (DLQ_RETENTION_MS)."
      actions={
        <>
          <SavedViews />
          {may("submit") && total > 0 && q === "" && (
            <>
              <Button onClick={() => setAsked({ what: "revive", targets: everything })}>
                Revive all {written(total)}…
              </Button>
              <Button look="danger" onClick={() => setAsked({ what: "discard", targets: everything })}>
                Discard all…
              </Button>
            </>
          )}
        </>
      }
    >
      <search className="group-filter">
        <Typed name="q" label="Search causes" placeholder="Search causes" params={params} change={change} isSearch />
        <Select
          label="Kind"
          labelHidden
          value={kind}
          onChange={(event) => change({ kind: event.target.value })}
          options={[["", "Any kind"], ...names.map((each) => [each, each] as const)]}
        />
        {session.allTenants && (
          <Typed name="tenant" label="Tenant" placeholder="Any tenant" params={params} change={change} />
        )}
        <Select
          label="Sort by"
          labelHidden
          value={sort}
          onChange={(event) => change({ sort: event.target.value === "count" ? undefined : event.target.value })}
          options={Object.entries(SORTS)}
        />
        {fingerprint !== "" && (
          <Button look="quiet" icon="close" onClick={() => change({ fingerprint: undefined })}>
            One cause only
          </Button>
        )}
        <p className="dim" role="status">
          {causes.data && `${plural(total, "dead letter")}, ${plural(groupCount, "cause")}`}
        </p>
      </search>
      <Loaded query={causes}>
        {({ causes: shown }) =>
          shown.length === 0 ? (
            <section className="panel">
              {isFiltered ? (
                <Empty title="No cause matches." icon="check">
                  Search looks at messages, codes, kinds and stages.
                </Empty>
              ) : (
                <Empty title="No dead letters." icon="check">
                  A job becomes a dead letter when its last attempt fails. To see one, submit the text <code>fail</code>
                  .
                </Empty>
              )}
            </section>
          ) : (
            <>
              <ul className="groups">
                {shown.map((cause) => (
                  <Cause key={cause.fingerprint} cause={cause} filter={filter} onAsk={setAsked} acts={may("submit")} />
                ))}
              </ul>
              {groupCount > shown.length && (
                <p className="more">
                  {written(shown.length)} of {written(groupCount)} causes.{" "}
                  <Button look="quiet" onClick={() => setLimit(limit + 100)}>
                    Show more
                  </Button>
                </p>
              )}
            </>
          )
        }
      </Loaded>
      {asked?.what === "revive" && <ReviveDialog targets={asked.targets} onClose={() => setAsked(undefined)} />}
      {asked?.what === "discard" && <DiscardDialog targets={asked.targets} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

interface CauseProps {
  readonly cause: DeadLetterCause;
  /** That of the page, without the search. */
  readonly filter: DeadLetterFilter;
  readonly acts: boolean;
  readonly onAsk: (asked: DialogRequest) => void;
}

function Cause({ cause, filter: ofPage, acts, onAsk }: CauseProps) {
  const [open, setOpen] = useState(false);
  const { fingerprint, pattern, kind, stage, code, lastError, count, variants, firstAt, lastAt } = cause;
  const filter = { ...ofPage, fingerprint };
  const targets: Targets = {
    about: `${plural(count, "dead letter")} with this cause`,
    filter,
    count,
    error: variants === 1 ? lastError : pattern,
  };
  const show = `${open ? "Hide" : "Show"} ${count === 1 ? "it" : "them"}`;
  const revive = `Revive${count > 1 ? ` ${written(count)}` : ""}…`;
  // A screen reader reads buttons without their row, so each names its cause.
  const named = (button: string) => `${button} (${kind}/${stage}: ${pattern.slice(0, 80)})`;
  return (
    <li className="panel group">
      <div className="group-head">
        <span className="group-count number" title={plural(count, "dead letter")}>
          {written(count)}
        </span>
        <div className="group-what">
          <h2>
            <LongText text={variants === 1 ? lastError : pattern} />
          </h2>
          {variants > 1 && (
            <p className="dim">
              {written(variants)} different messages, the latest: <LongText text={lastError} />
            </p>
          )}
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
          <Button look="quiet" aria-expanded={open} aria-label={named(show)} onClick={() => setOpen(!open)}>
            {show}
          </Button>
          {acts && (
            <>
              <Button aria-label={named(revive)} onClick={() => onAsk({ what: "revive", targets })}>
                {revive}
              </Button>
              <Button look="danger" aria-label={named("Discard…")} onClick={() => onAsk({ what: "discard", targets })}>
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
