import type { Attempt } from "../../src/client/index.ts";
import { LongText } from "../ui/long-text.tsx";
import { Panel } from "../ui/page.tsx";
import { SomeFirst } from "../ui/some-first.tsx";
import { Badge, type Tone } from "../ui/status.tsx";
import { Ago, Lasting } from "../ui/time.tsx";

const TONES: Record<NonNullable<Attempt["outcome"]>, Tone> = {
  completed: "good",
  failed: "bad",
  crashed: "bad",
  abandoned: "bad",
  deferred: "waiting",
  released: "waiting",
  held: "care",
  waiting: "waiting",
  cancelled: "off",
};

/** Newest first: what happened last is what people look for. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <Panel title="Attempts">
      <SomeFirst items={attempts.toReversed()} most={8}>
        {(shown) => (
          <ol className="attempts">
            {shown.map((each) => (
              <li key={`${each.stage}-${each.attempt}-${each.startedAt}`}>
                <div className="attempt-head">
                  {each.outcome ? (
                    <Badge tone={TONES[each.outcome]}>{each.outcome}</Badge>
                  ) : (
                    <Badge tone="running">running</Badge>
                  )}
                  <span>
                    {each.stage}, attempt {each.attempt}
                  </span>
                  <span className="dim number attempt-when">
                    <Lasting from={each.startedAt} to={each.endedAt} />, <Ago at={each.startedAt} />
                  </span>
                </div>
                {each.failure && (
                  <p className="attempt-why">
                    <ErrorName name={each.failure.name} code={each.failure.errorCode} />
                    <LongText text={each.failure.message} />
                  </p>
                )}
                {each.failure && <Causes of={each.failure} />}
                {each.processor && (
                  <p className="dim attempt-who">
                    by <code>{each.processor}</code>
                  </p>
                )}
                {typeof each.failure?.["stack"] === "string" && (
                  <details>
                    <summary>Stack</summary>
                    <pre className="stack-trace" tabIndex={0}>
                      {each.failure["stack"]}
                    </pre>
                  </details>
                )}
              </li>
            ))}
          </ol>
        )}
      </SomeFirst>
    </Panel>
  );
}

type FailureCauses = Pick<NonNullable<Attempt["failure"]>, "cause" | "errors">;

/** The errors behind one, each below the one it caused. */
function Causes({ of: { cause, errors = [] } }: { of: FailureCauses }) {
  const behind = [...(cause ? [cause] : []), ...errors];
  if (behind.length === 0) return null;
  return (
    <ul className="causes" aria-label="Caused by">
      {behind.map((each, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the errors of an attempt that ended never change
        <li key={place}>
          <ErrorName name={each.name} code={each.code} />
          <LongText text={each.message} />
          <Causes of={each} />
        </li>
      ))}
    </ul>
  );
}

function ErrorName({ name, code }: { name: string | undefined; code: string | undefined }) {
  if (name === undefined && code === undefined) return null;
  return (
    <>
      <code>{[name, code].filter(Boolean).join(" ")}</code>{" "}
    </>
  );
}
