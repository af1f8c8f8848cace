import { useEffect, useMemo, useRef } from "react";
import type { JobTree } from "../../src/client/index.ts";
import { plural } from "../lib/format.ts";
import { CountBar, CountWords } from "../ui/count-bar.tsx";
import { Link } from "../ui/link.tsx";
import { Panel } from "../ui/page.tsx";
import { Badge, type Tone } from "../ui/status.tsx";
import { childrenOf, countParts } from "./relatives.tsx";
import { BOX, type GroupBox, type JobBox, layoutOf } from "./tree-layout.ts";

const TONES: Record<JobTree["nodes"][number]["state"], Tone> = {
  pending: "waiting",
  running: "running",
  completed: "good",
  failed: "bad",
  cancelled: "off",
};

/** The tree or flow of a job as a graph, from left to right. */
export function TreePanel({ tree }: { tree: JobTree }) {
  const layout = useMemo(() => layoutOf(tree), [tree]);
  const view = useRef<HTMLDivElement>(null);
  const own = layout.boxes.find(({ id }) => id === tree.jobId);
  const [x, y] = own ? [own.x + BOX.width / 2, own.y + own.height / 2] : [0, 0];
  const isCentred = useRef(false);
  // The job of this page begins in the middle of the view. Later the reader scrolls, also while the tree grows.
  useEffect(() => {
    if (!view.current || isCentred.current) return;
    isCentred.current = true;
    view.current.scrollTo(x - view.current.clientWidth / 2, y - view.current.clientHeight / 2);
  }, [x, y]);
  if (layout.boxes.length < 2) return null;
  const isFlow = tree.edges.some(({ type }) => type === "after");
  return (
    <Panel
      title={isFlow ? "Flow" : "Tree"}
      aside={<span>{tree.truncated ? "large calls by state" : plural(tree.nodes.length, "job")}</span>}
    >
      <div className="tree-scroll" ref={view}>
        <div className="tree" style={{ width: layout.width, height: layout.height }}>
          <svg width={layout.width} height={layout.height} aria-hidden="true" focusable="false">
            {layout.lines.map(({ id, path, isAwaited }) => (
              <path key={id} d={path} className={isAwaited ? "tree-line" : "tree-line loose"} />
            ))}
          </svg>
          <ul>
            {layout.boxes.map((box) => (
              <li key={box.id} style={{ left: box.x, top: box.y, width: BOX.width, height: box.height }}>
                {box.type === "job" ? <OneJob box={box} isOwn={box.id === tree.jobId} /> : <Group box={box} />}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Panel>
  );
}

function OneJob({ box: { node, key }, isOwn }: { box: JobBox; isOwn: boolean }) {
  return (
    <Link to={`/jobs/${node.jobId}`} className="tree-box" aria-current={isOwn ? "true" : undefined} title={node.jobId}>
      <span className="tree-head">
        <span className="tree-kind">{node.kind}</span>
        <Badge tone={TONES[node.state]}>{node.state}</Badge>
      </span>
      <span className={key ? "tree-key" : "tree-key mono"}>{key || node.jobId}</span>
    </Link>
  );
}

function Group({ box: { owner, call } }: { box: GroupBox }) {
  const parts = countParts(call.counts);
  return (
    <Link to={childrenOf(owner)} className="tree-box group">
      <span className="tree-kind">{call.name}</span>
      <CountBar parts={parts} label={call.name} />
      <CountWords parts={parts} />
    </Link>
  );
}
