import { useState } from "react";
import type { Schedule } from "../../src/client/index.ts";
import { useAct, useLiveQuery } from "../lib/data.ts";
import { exact, preview } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { ScheduleDialog } from "./dialog.tsx";
import "./schedules.css";

type DialogRequest =
  | { readonly what: "edit"; readonly schedule?: Schedule }
  | { readonly what: "remove"; readonly schedule: Schedule };

export function SchedulesPage() {
  const [asked, setAsked] = useState<DialogRequest>();
  const schedules = useLiveQuery<Schedule[]>({
    key: ["schedules"],
    load: (client, signal) => client.schedules.list({ signal }),
  });
  const close = () => setAsked(undefined);
  return (
    <Page
      title="Schedules"
      about="Rules that submit jobs at given times. Each run submits one job, with any number of processes."
      actions={
        <Button look="primary" onClick={() => setAsked({ what: "edit" })}>
          New schedule…
        </Button>
      }
    >
      <Loaded query={schedules}>
        {(all) =>
          all.length === 0 ? (
            <section className="panel">
              <Empty title="No schedule yet." icon="schedules">
                A schedule is a cron rule with a time zone, such as <code>30 6 * * 1</code> in Europe/Berlin: every
                Monday at half past six.
              </Empty>
            </section>
          ) : (
            <ul className="schedules">
              {all.map((schedule) => (
                <One key={schedule.name} schedule={schedule} onAsk={setAsked} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked?.what === "edit" && <ScheduleDialog schedule={asked.schedule} onClose={close} />}
      {asked?.what === "remove" && <RemoveDialog schedule={asked.schedule} onClose={close} />}
    </Page>
  );
}

/** What a schedule is, without what is known of it: as it is put. */
export function ruleOf(schedule: Schedule) {
  const {
    name: _name,
    nextAt: _nextAt,
    nextFires: _nextFires,
    lastAt: _lastAt,
    lastJobId: _lastJobId,
    ...rule
  } = schedule;
  return rule;
}

function One({ schedule, onAsk }: { schedule: Schedule; onAsk: (asked: DialogRequest) => void }) {
  const { name, cron, timeZone, kind, tenant, payload, paused, nextFires, lastAt, lastJobId, overlap, missed } =
    schedule;
  const runNow = useAct<void, string>({
    run: (client) => client.schedules.runNow(name, { tenant }),
    done: (jobId) => `${name} has submitted ${jobId}.`,
  });
  const toggle = useAct({
    run: (client) => client.schedules.put(name, { ...ruleOf(schedule), paused: !paused }),
    done: () => (paused ? `${name} is resumed.` : `${name} is paused.`),
  });
  return (
    <li className="panel schedule">
      <div className="schedule-what">
        <h2>
          {name} {paused && <Badge tone="care">paused</Badge>}
        </h2>
        <p>
          <code>{cron}</code> <span className="dim">in {timeZone}</span>
        </p>
        <p className="dim">
          submits{" "}
          <Link to={`/jobs?kind=${kind}`} className="text-link">
            {kind}
          </Link>{" "}
          for {tenant}: <span className="mono">{preview(payload, 80)}</span>
        </p>
        <p className="dim">
          {overlap === "skip" ? "Skipped while the previous job runs" : "May overlap"};{" "}
          {missed === "once" ? "missed runs start once" : "missed runs are skipped"}.
        </p>
      </div>
      <div className="schedule-times">
        {!paused && nextFires[0] && (
          <>
            <p>
              Next <Ago at={nextFires[0]} />
            </p>
            {nextFires.slice(0, 3).map((at) => (
              <p key={at} className="dim number">
                {exact(Date.parse(at), timeZone)}
              </p>
            ))}
          </>
        )}
        <p className="dim">
          {lastAt ? (
            <>
              Last <Ago at={lastAt} />{" "}
              {lastJobId && (
                <Link to={`/jobs/${lastJobId}`} className="mono text-link">
                  {lastJobId}
                </Link>
              )}
            </>
          ) : (
            "No run yet"
          )}
        </p>
      </div>
      <div className="actions">
        <Button
          busy={toggle.isPending}
          icon={paused ? "play" : "pause"}
          onClick={() => toggle.mutate()}
          aria-label={`${paused ? "Resume" : "Pause"} ${name}`}
        >
          {paused ? "Resume" : "Pause"}
        </Button>
        <Button busy={runNow.isPending} onClick={() => runNow.mutate()} aria-label={`Run now: ${name}`}>
          Run now
        </Button>
        <Button onClick={() => onAsk({ what: "edit", schedule })} aria-label={`Edit ${name}`}>
          Edit…
        </Button>
        <Button look="danger" onClick={() => onAsk({ what: "remove", schedule })} aria-label={`Delete ${name}`}>
          Delete…
        </Button>
      </div>
    </li>
  );
}

function RemoveDialog({ schedule: { name, tenant }, onClose }: { schedule: Schedule; onClose: () => void }) {
  const remove = useAct({
    run: (client) => client.schedules.remove(name, { tenant }),
    done: () => `${name} is deleted.`,
    after: onClose,
  });
  return (
    <Dialog
      error={remove.error}
      title={`Delete the schedule ${name}?`}
      onClose={onClose}
      actions={
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      }
    >
      <p>Jobs that it has submitted are not affected.</p>
    </Dialog>
  );
}
