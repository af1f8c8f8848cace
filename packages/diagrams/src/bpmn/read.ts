// A process from its XML. One without places is laid out.

import type { Fault } from "../engine.ts";
import type { BpmnElement, Definitions, PlaneElement } from "./model.ts";

export interface Packages {
  readonly BpmnModdle: new () => Moddle;
  readonly layoutProcess: (xml: string) => Promise<string>;
}

interface Moddle {
  fromXML(xml: string): Promise<{ rootElement: Definitions; warnings: readonly { message: string }[] }>;
  toXML(definitions: Definitions): Promise<{ xml: string }>;
}

export interface ReadProcess {
  readonly shown: readonly PlaneElement[];
  readonly warnings: readonly string[];
}

const MOST_DEPTH = 100;

export async function readProcess(
  { BpmnModdle, layoutProcess }: Packages,
  source: string,
): Promise<ReadProcess | { fault: Fault }> {
  const moddle = new BpmnModdle();
  let definitions: Definitions;
  let told: readonly { message: string }[];
  try {
    const read = await moddle.fromXML(source);
    [definitions, told] = [read.rootElement, read.warnings];
  } catch (error) {
    return { fault: faultOf(error) };
  }
  const warnings = told.map(({ message }) => message.split("\n")[0] ?? "");
  const shown = planeOf(definitions);
  if (shown.length > 0) return { shown, warnings };
  const processes = (definitions.rootElements ?? []).filter(({ $type }) => $type === "bpmn:Process");
  if (!processes.some(({ flowElements = [] }) => flowElements.length > 0))
    return { fault: { message: "There is no process to draw." } };
  try {
    for (const each of processes) linkFlows(each);
    const { xml } = await moddle.toXML(definitions);
    const laidOut = await moddle.fromXML(await layoutProcess(xml));
    const left = processes.length > 1 ? [MORE_PROCESSES] : [];
    return { shown: planeOf(laidOut.rootElement), warnings: [...warnings, ...left] };
  } catch {
    return { fault: { message: "This process has no places (bpmndi:BPMNDiagram) and cannot be laid out." } };
  }
}

const MORE_PROCESSES =
  "The file has no places (bpmndi:BPMNDiagram). Only its first process is laid out, without pools and messages.";

function planeOf({ diagrams = [] }: Definitions): readonly PlaneElement[] {
  return diagrams[0]?.plane?.planeElement ?? [];
}

/** The layout draws no flow unless its ends list it, which files may leave out. */
function linkFlows({ flowElements = [] }: BpmnElement, depth = 0): void {
  if (depth > MOST_DEPTH) return;
  for (const element of flowElements) {
    linkFlows(element, depth + 1);
    if (element.$type !== "bpmn:SequenceFlow") continue;
    const { sourceRef, targetRef } = element;
    if (sourceRef !== undefined && !Array.isArray(sourceRef)) list(sourceRef as BpmnElement, "outgoing", element);
    if (targetRef !== undefined) list(targetRef, "incoming", element);
  }
}

function list(node: BpmnElement, name: "incoming" | "outgoing", flow: BpmnElement): void {
  const flows = node[name] ?? [];
  if (!flows.includes(flow)) node[name] = [...flows, flow];
}

/** `unparsable content </x> detected`, then its line and column from 0, and why. */
function faultOf(error: unknown): Fault {
  const { message = "", warnings = [] } = error as { message?: string; warnings?: readonly { message: string }[] };
  const told = warnings[0]?.message ?? message;
  const [first = ""] = told.split("\n");
  const [, line] = /^\tline: (\d+)$/m.exec(told) ?? [];
  const [, column] = /^\tcolumn: (\d+)$/m.exec(told) ?? [];
  const [, nested] = /^\tnested error: (.+)$/m.exec(told) ?? [];
  const isRoot = /failed to parse document as|unexpected element|missing start tag/i.test(nested ?? first);
  const sentence = isRoot ? "This is not BPMN: its root is <definitions> of the BPMN 2.0 model" : (nested ?? first);
  const spoken = sentence.replace(/^./, (letter) => letter.toUpperCase());
  return {
    message: /[.!]$/.test(spoken) ? spoken : `${spoken}.`,
    ...(line !== undefined && { line: Number(line) + 1, column: Number(column ?? 0) + 1 }),
  };
}
