import { useState } from "react";
import { useSurroundings } from "../lib/data.ts";
import { useKinds } from "../lib/facts.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/field.tsx";
import { Typed } from "../ui/typed.tsx";
import { isFiltered, LAST } from "./filter.ts";
import { TimeRange } from "./time-range.tsx";

const STATUSES = ["pending", "running", "completed", "failed", "cancelled", "scheduled", "retrying", "held"];
const WAIT_TYPES = ["sleep", "signal", "event", "approval", "children", "hold", "after", "leader", "key"];

interface Props {
  readonly params: URLSearchParams;
  readonly change: (changes: Record<string, string | undefined>) => void;
}

export function Filters({ params, change }: Props) {
  const { session } = useSurroundings();
  const kinds = useKinds().data ?? [];
  const [open, setOpen] = useState(false);
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    setCleared(cleared + 1);
    change(NOTHING);
  };
  const value = (name: string) => params.get(name) ?? "";
  const names = [...new Set([...kinds.map(({ kind }) => kind), ...(value("kind") ? [value("kind")] : [])])];
  const stages = kinds.find(({ kind }) => kind === value("kind"))?.stages ?? [];
  // Folded filters still count, so their number is shown.
  const on = Object.keys(NOTHING).filter((name) => name !== "q" && value(name) !== "").length;
  const isBetween = value("last") === BETWEEN || value("since") !== "" || value("until") !== "";
  const set = (name: string) => (event: { target: { value: string } }) => change({ [name]: event.target.value });
  const select = (name: string, label: string, all: string, options: readonly string[], before = "") => {
    const known = value(name) === "" || options.includes(value(name)) ? options : [...options, value(name)];
    return (
      <Select
        label={label}
        labelHidden
        value={value(name)}
        onChange={set(name)}
        options={[["", all], ...known.map((each) => [each, before + each] as const)]}
      />
    );
  };
  return (
    <search className={`filters ${open ? "open" : ""}`}>
      <Typed
        key={`q${cleared}`}
        name="q"
        label="Search"
        placeholder="Search payload, result, error or id"
        params={params}
        change={change}
        isSearch
      />
      <Button className="filters-toggle" icon="filter" aria-expanded={open} onClick={() => setOpen(!open)}>
        {on > 0 ? `Filters (${on})` : "Filters"}
      </Button>
      <div className="filters-more">
        {select("status", "Status", "Any status", STATUSES)}
        {select("waitsFor", "Waits for", "Any wait", WAIT_TYPES, "waits: ")}
        <Select
          label="Kind"
          labelHidden
          value={value("kind")}
          onChange={(event) => change({ kind: event.target.value, stage: undefined })}
          options={[["", "Any kind"], ...names.map((kind) => [kind, kind] as const)]}
        />
        {(stages.length > 1 || value("stage") !== "") &&
          select(
            "stage",
            "Stage",
            "Any stage",
            stages.map(({ stage }) => stage),
          )}
        {session.allTenants && (
          <Typed
            key={`tenant${cleared}`}
            name="tenant"
            label="Tenant"
            placeholder="Any tenant"
            params={params}
            change={change}
          />
        )}
        <Typed key={`tag${cleared}`} name="tag" label="Tag" placeholder="Any tag" params={params} change={change} />
        <Typed
          key={`parent${cleared}`}
          name="parent"
          label="Parent"
          placeholder="Any parent"
          params={params}
          change={change}
        />
        <Typed
          key={`batch${cleared}`}
          name="batch"
          label="Batch"
          placeholder="Any batch"
          params={params}
          change={change}
        />
        <Select
          label="Time"
          labelHidden
          value={isBetween ? BETWEEN : value("last")}
          onChange={({ target }) =>
            change(
              target.value === BETWEEN
                ? { last: BETWEEN, since: hourAgo() }
                : { last: target.value, since: undefined, until: undefined },
            )
          }
          options={[
            ["", "Any time"],
            ...Object.entries(LAST).map(([key, { text }]) => [key, text] as const),
            [BETWEEN, "Between two times"],
          ]}
        />
        {isBetween && <TimeRange since={value("since")} until={value("until")} change={change} />}
        {isFiltered(params) && (
          <Button look="quiet" icon="close" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
    </search>
  );
}

const BETWEEN = "between";

function hourAgo(): string {
  return new Date(Date.now() - 3_600_000).toISOString();
}

const NOTHING = Object.fromEntries(
  ["status", "kind", "stage", "tenant", "tag", "waitsFor", "parent", "batch", "since", "until", "q", "last"].map(
    (name) => [name, undefined],
  ),
);
