import { lazy, Suspense } from "react";
import { Boundary } from "../ui/boundary.tsx";
import { Button } from "../ui/button.tsx";
import { type History, useYesterday } from "./history.ts";
import "./overview.css";

const Charts = lazy(async () => ({ default: (await import("./charts.tsx")).Charts }));

interface Props {
  /** What the charts are about, as a heading. */
  readonly title: string;
  readonly history: History | undefined;
  readonly minutes: number;
  readonly stage?: string;
  readonly tenant?: string;
  readonly onClose: () => void;
}

/** The charts of one stage or tenant, beside the same time of yesterday. */
export function FiguresOf({ title, history, minutes, onClose, ...of }: Props) {
  const yesterday = useYesterday(minutes, true);
  return (
    <section aria-label={title} className="stack">
      <div className="figures-head">
        <h2>{title}</h2>
        <Button className="small" icon="close" onClick={onClose}>
          Close
        </Button>
      </div>
      <Boundary>
        <Suspense fallback={<div className="charts-to-come" />}>
          <Charts
            {...of}
            points={history?.points ?? []}
            minutes={minutes}
            deployments={history?.deployments ?? []}
            yesterday={yesterday.data}
          />
        </Suspense>
      </Boundary>
    </section>
  );
}
