import type { JobTree } from "../../client/index.ts";
import { oneLine } from "./format.ts";

type Node = JobTree["nodes"][number];
type Edge = JobTree["edges"][number];
type Call = Node["calls"][number];

/**
 * Formats a tree with one line for each job, below the job that started it or depends on it. Each job is drawn once in
 * full.
 */
export function treeAsText(tree: JobTree): string {
  const nodes = new Map(tree.nodes.map((node) => [node.jobId, node]));
  const isBelow = new Set(tree.edges.map(({ to }) => to));
  const drawn = new Set<string>();
  const lines: string[] = [];

  function draw(node: Node, before: { line: string; below: string }, edge?: Edge): void {
    const key = edge?.key === undefined ? "" : `${oneLine(edge.key)}: `;
    const mark = node.jobId === tree.jobId ? " ◀" : "";
    lines.push(`${before.line}${key}${node.jobId}  ${node.kind}/${node.stage}  ${node.state}${mark}`);
    if (drawn.has(node.jobId)) {
      if (node.calls.length > 0) lines[lines.length - 1] += "  (see above)";
      return;
    }
    drawn.add(node.jobId);
    for (const [i, call] of node.calls.entries()) {
      const isLast = i === node.calls.length - 1;
      lines.push(`${before.below}${isLast ? "└─" : "├─"} ${callText(call)}`);
      const below = `${before.below}${isLast ? "   " : "│  "}`;
      const shown = tree.edges.filter(
        ({ from, type, name }) => from === node.jobId && type === call.type && name === call.name,
      );
      for (const [place, each] of shown.entries()) {
        const isEnd = place === shown.length - 1;
        const child = nodes.get(each.to);
        if (child)
          draw(child, { line: `${below}${isEnd ? "└─ " : "├─ "}`, below: `${below}${isEnd ? "   " : "│  "}` }, each);
      }
    }
  }

  for (const node of tree.nodes) if (!isBelow.has(node.jobId)) draw(node, { line: "", below: "" });
  if (tree.truncated) lines.push("Calls with many jobs show their number by state.");
  return lines.join("\n");
}

/** A graph in the DOT language. */
export function treeAsDot({ nodes, edges }: JobTree): string {
  const lines = ["digraph tree {", "  rankdir=LR;", "  node [shape=box];"];
  for (const { jobId, kind, stage, state, calls } of nodes) {
    lines.push(`  ${quoted(jobId)} [label=${quoted(`${kind}/${stage}\n${jobId}\n${state}`)}];`);
    for (const call of calls.filter(({ grouped }) => grouped)) {
      const group = quoted(`${jobId} ${call.type} ${call.name}`);
      lines.push(`  ${group} [label=${quoted(countsText(call))}, style=dashed];`);
      lines.push(`  ${quoted(jobId)} -> ${group} [label=${quoted(call.name)}];`);
    }
  }
  for (const { from, to, type, name } of edges) {
    const label = type === "after" ? "after" : name;
    const style = type === "children" ? "" : ", style=dashed";
    lines.push(`  ${quoted(from)} -> ${quoted(to)} [label=${quoted(label)}${style}];`);
  }
  return [...lines, "}"].join("\n");
}

function callText(call: Call): string {
  const name = call.type === "after" ? "" : ` ${oneLine(call.name)}`;
  return `${call.type}${name}: ${countsText(call)}`;
}

function countsText({ counts }: Call): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([state, count]) => `${count} ${state}`).join(", ") || "none";
}

function quoted(text: string): string {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")}"`;
}
