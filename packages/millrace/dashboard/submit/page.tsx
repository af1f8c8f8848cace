import { type FormEvent, useEffect, useMemo, useState } from "react";
import { type Job, type KindInfo, MillraceError } from "../../src/client/index.ts";
import { problemOf } from "../job/dialogs.tsx";
import { clientFor, sentenceOf, useMay, useSurroundings } from "../lib/data.ts";
import { useKinds } from "../lib/facts.ts";
import { preview } from "../lib/format.ts";
import { useQueryState } from "../lib/router.ts";
import { Button } from "../ui/button.tsx";
import { Segments, Select, TextArea } from "../ui/field.tsx";
import { sourceOf } from "../ui/json.tsx";
import { Empty, Loaded, Page, Panel } from "../ui/page.tsx";
import { NoteOfKind } from "../workloads/parts.tsx";
import { Fields } from "./fields.tsx";
import { MoreFields, NOTHING_MORE, optionsOf, problemWith } from "./more.tsx";
import { QuickTexts } from "./quick-texts.tsx";
import { draftOf, errorsByField, fieldsOf, fitsForm, payloadOf } from "./schema.ts";
import { Submitted } from "./submitted.tsx";
import "./submit.css";

export function SubmitPage() {
  const kinds = useKinds();
  const may = useMay();
  const [params, change] = useQueryState();
  const [submitted, setSubmitted] = useState<readonly Job[]>([]);
  const add = (job: Job) =>
    setSubmitted((before) => [job, ...before.filter(({ jobId }) => jobId !== job.jobId)].slice(0, 20));
  if (!may("submit")) {
    return (
      <Page title="Submit">
        <Empty title="This key cannot submit jobs.">It needs the scope submit.</Empty>
      </Page>
    );
  }
  return (
    <Page title="Submit" about="A job is stored on disk before its submission is confirmed.">
      <Loaded query={kinds}>
        {(all) => {
          const kind =
            all.find((each) => each.kind === params.get("kind")) ?? all.find((each) => each.kind === "text") ?? all[0];
          if (!kind)
            return (
              <Empty title="No kinds yet.">Start a worker with your kinds: millrace serve --load ./kinds.ts</Empty>
            );
          const options = all.map((each) => [each.kind, each.kind] as const);
          const choose = (name: string) => change({ kind: name });
          return (
            <div className="submit">
              <div className="stack">
                {options.length <= 6 ? (
                  <div>
                    <Segments label="Kind" value={kind.kind} options={options} onChange={choose} />
                  </div>
                ) : (
                  <Select
                    label="Kind"
                    value={kind.kind}
                    options={options}
                    onChange={(event) => choose(event.target.value)}
                  />
                )}
                {kind.kind === "text" && <QuickTexts onSubmitted={add} />}
                <KindForm key={kind.kind} kind={kind} onSubmitted={add} />
              </div>
              <Submitted jobs={submitted} />
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function KindForm({ kind, onSubmitted }: { kind: KindInfo; onSubmitted: (job: Job) => void }) {
  const { session } = useSurroundings();
  const examples = kind.examples ?? (kind.payloadSchema as { examples?: unknown[] } | undefined)?.examples ?? [];
  const first = examples[0] ?? {};
  const [draft, setDraft] = useState(() => draftOf(kind.payloadSchema, examples[0]));
  // Which fields there are may hang on what is chosen in one of them.
  const fields = useMemo(() => fieldsOf(kind.payloadSchema, draft), [kind.payloadSchema, draft]);
  const [way, setWay] = useState<"form" | "json">(fields && fitsForm(kind.payloadSchema, first) ? "form" : "json");
  const [text, setText] = useState(() => sourceOf(first));
  const [more, setMore] = useState(NOTHING_MORE);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the payload takes the complaint away
  useEffect(() => setError(undefined), [draft, text, way, more]);
  const use = (example: unknown) => {
    if (!fitsForm(kind.payloadSchema, example)) setWay("json");
    setDraft(draftOf(kind.payloadSchema, example));
    setText(sourceOf(example));
  };
  const switchTo = (next: "form" | "json") => {
    const made = next === "json" ? payloadOf(fields ?? [], draft) : parsed(text);
    if ("problem" in made) return setError(new Error(made.problem));
    if (next === "json") setText(sourceOf(made.payload));
    else if (fitsForm(kind.payloadSchema, made.payload)) setDraft(draftOf(kind.payloadSchema, made.payload));
    else return setError(new Error("The form cannot show all of this payload. Edit it as JSON."));
    setWay(next);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const made = way === "form" ? payloadOf(fields ?? [], draft) : parsed(text);
    if ("problem" in made) return setError(new Error(made.problem));
    const problem = problemWith(more);
    if (problem !== undefined) return setError(new Error(problem));
    setBusy(true);
    try {
      const client = clientFor(session.allTenants ? more["tenant"]?.trim() || undefined : undefined);
      onSubmitted((await client.submit(kind.kind, made.payload, optionsOf(more))) as Job);
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  const issues = error instanceof MillraceError ? error.issues : [];
  const errors = errorsByField(fields ?? [], issues);
  const isBesideField =
    way === "form" && issues.length > 0 && issues.every((each) => errorsByField(fields ?? [], [each]).size > 0);
  return (
    <Panel
      title={`New job of kind ${kind.kind}`}
      aside={
        fields && (
          <Segments
            label="Edit as"
            value={way}
            onChange={switchTo}
            options={[
              ["form", "Form"],
              ["json", "JSON"],
            ]}
          />
        )
      }
    >
      <form className="submit-form" onSubmit={(event) => void submit(event)}>
        <NoteOfKind kind={kind.kind} />
        {examples.length > 0 && (
          <div className="examples">
            <span className="dim">Examples</span>
            {examples.slice(0, 6).map((example) => (
              <Button key={sourceOf(example)} className="small mono" onClick={() => use(example)}>
                {preview(example, 44)}
              </Button>
            ))}
          </div>
        )}
        {way === "form" && fields ? (
          <Fields fields={fields} draft={draft} onChange={setDraft} errors={errors} />
        ) : (
          <TextArea
            label="Payload"
            hint="JSON"
            rows={8}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <MoreFields more={more} onChange={setMore} />
        {error !== undefined && !isBesideField && (
          <p className="notice bad" role="alert">
            {sentenceOf(error)}
          </p>
        )}
        <div>
          <Button look="primary" submits busy={busy}>
            Submit
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function parsed(text: string): { payload: unknown } | { problem: string } {
  const problem = problemOf(text);
  return problem === undefined ? { payload: JSON.parse(text) } : { problem };
}
