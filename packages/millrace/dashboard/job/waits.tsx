import type { JobSignal, JobWait } from "../../src/client/index.ts";
import { preview } from "../lib/format.ts";
import { Link } from "../ui/link.tsx";
import { Panel } from "../ui/page.tsx";
import { SomeFirst } from "../ui/some-first.tsx";
import { Badge, type Tone } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import type { GapReason } from "./timeline.ts";

const WAIT_TONES: Record<JobWait["state"], Tone> = {
  open: "waiting",
  answered: "good",
  "timed-out": "care",
  closed: "off",
};

/** `signal paid`. The dependencies of a flow have no name. */
export function waitWords({ type, name }: GapReason): string {
  if (type === "after") return "jobs before it";
  return name === undefined ? type : `${type} ${name}`;
}

/** What the job waits for and waited for, in the order in which the waits began. */
export function Waits({ waits }: { waits: readonly JobWait[] }) {
  // A race shows its members. A job that was only submitted is not waited for.
  const shown = waits.filter(({ type }) => type !== "race" && type !== "submitted");
  if (shown.length === 0) return null;
  return (
    <Panel title="Waits" aside={<span>no processor is held meanwhile</span>}>
      <SomeFirst items={shown} most={12}>
        {(first) => (
          <ul className="waits">
            {first.map(({ stage, type, name, state, since, until, answeredAt, value }) => (
              <li key={`${stage}/${type}/${name}`}>
                {type === "sleep" && state === "timed-out" ? (
                  <Badge tone="good">slept</Badge>
                ) : (
                  <Badge tone={WAIT_TONES[state]}>{state}</Badge>
                )}
                <span className="step-name">{waitWords({ type, name })}</span>
                {state === "open" && type === "approval" && <Link to="/approvals">Decide</Link>}
                <span className="dim">
                  began <Ago at={since} />
                  {state === "open" && until !== undefined && (
                    <>
                      , ends <Ago at={until} />
                    </>
                  )}
                  {answeredAt !== undefined && (
                    <>
                      , ended <Ago at={answeredAt} />
                    </>
                  )}
                </span>
                {value !== undefined && <span className="dim step-value">{preview(value, 80)}</span>}
              </li>
            ))}
          </ul>
        )}
      </SomeFirst>
    </Panel>
  );
}

const SIGNAL_TONES: Record<JobSignal["state"], Tone> = { queued: "waiting", taken: "good", "set-aside": "care" };

/** What the job was sent, oldest first. */
export function Signals({ signals }: { signals: readonly JobSignal[] }) {
  if (signals.length === 0) return null;
  return (
    <Panel title="Signals">
      <SomeFirst items={signals} most={12}>
        {(first) => (
          <ul className="waits">
            {first.map(({ name, value, at, by, state, reason }) => (
              <li key={`${at} ${name} ${JSON.stringify(value)}`}>
                <Badge tone={SIGNAL_TONES[state]}>{state}</Badge>
                <span className="step-name">{name}</span>
                <span className="dim">
                  <Ago at={at} />
                  {by !== undefined && ` by ${by}`}
                </span>
                <span className="dim step-value">{preview(value, 80)}</span>
                {reason !== undefined && <span className="dim">{reason}</span>}
              </li>
            ))}
          </ul>
        )}
      </SomeFirst>
    </Panel>
  );
}
