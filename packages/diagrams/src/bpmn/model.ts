// As much of BPMN's model as drawing it needs, as bpmn-moddle reads it.

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Waypoint {
  readonly x: number;
  readonly y: number;
}

/** An element of a process: `$type` is its name in BPMN, such as `bpmn:UserTask`. */
export interface BpmnElement {
  readonly $type: string;
  readonly $attrs?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly name?: string;
  readonly text?: string;
  readonly eventDefinitions?: readonly BpmnElement[];
  readonly loopCharacteristics?: BpmnElement & { readonly isSequential?: boolean };
  readonly isForCompensation?: boolean;
  readonly triggeredByEvent?: boolean;
  readonly isInterrupting?: boolean;
  readonly cancelActivity?: boolean;
  readonly parallelMultiple?: boolean;
  readonly isCollection?: boolean;
  readonly dataObjectRef?: BpmnElement;
  readonly conditionExpression?: unknown;
  readonly associationDirection?: string;
  readonly default?: BpmnElement;
  readonly processRef?: BpmnElement;
  readonly participantMultiplicity?: unknown;
  readonly instantiate?: boolean;
  readonly eventGatewayType?: string;
  sourceRef?: BpmnElement | readonly BpmnElement[];
  targetRef?: BpmnElement;
  incoming?: BpmnElement[];
  outgoing?: BpmnElement[];
  readonly flowElements?: readonly BpmnElement[];
  readonly participants?: readonly BpmnElement[];
  readonly categoryValueRef?: { readonly value?: string };
}

/** How an element is shown: a shape has bounds, an edge has points. */
export interface PlaneElement {
  readonly $type: string;
  /** A property by its name with a namespace, of extensions that the reader knows. */
  get?(name: string): unknown;
  readonly $attrs?: Readonly<Record<string, unknown>>;
  readonly bpmnElement?: BpmnElement;
  readonly bounds?: Bounds;
  readonly waypoint?: readonly Waypoint[];
  readonly label?: { readonly bounds?: Bounds };
  readonly isExpanded?: boolean;
  readonly isHorizontal?: boolean;
  readonly isMarkerVisible?: boolean;
}

export interface Definitions extends BpmnElement {
  readonly rootElements?: readonly BpmnElement[];
  readonly diagrams?: readonly { readonly plane?: { readonly planeElement?: readonly PlaneElement[] } }[];
}

export function isA(element: BpmnElement | undefined, ...names: readonly string[]): boolean {
  return element !== undefined && names.includes(plainType(element));
}

/** `UserTask` of `bpmn:UserTask`. */
export function plainType({ $type }: BpmnElement): string {
  return $type.slice($type.indexOf(":") + 1);
}

/** Where a number of the file is none, the shape is at the corner. */
export function finite(number: unknown): number {
  const value = Number(number);
  return Number.isFinite(value) && Math.abs(value) < 1e6 ? value : 0;
}

export function boundsOf({ x, y, width, height }: Bounds): Bounds {
  return { x: finite(x), y: finite(y), width: Math.max(1, finite(width)), height: Math.max(1, finite(height)) };
}
