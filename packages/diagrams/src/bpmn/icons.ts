// The small signs of BPMN: in the corner of a task, inside an event or a gateway. Each is drawn around 0,0 in a circle of
// radius 10, as a path that is outlined, and one that is filled.

export interface Icon {
  /** Outlined, with nothing in it. */
  readonly line?: string;
  /** Filled with the colour of lines. */
  readonly fill?: string;
}

const ENVELOPE = "M-8 -5.5H8V5.5H-8ZM-8 -5.5L0 1L8 -5.5";
const GEAR =
  "M-1.5 -8H1.5L2 -5.6L4 -4.6L6 -6L8 -4L6.6 -2L7.2 -0.5L9 0V2L6.8 2.5L6 4.2L7.2 6L5.4 7.6L3.6 6.4L2 7L1.5 9H-1.5L-2 7L-3.6 6.4L-5.4 7.6L-7.2 6L-6 4.2L-6.8 2.5L-9 2V0L-7.2 -0.5L-6.6 -2L-8 -4L-6 -6L-4 -4.6L-2 -5.6ZM3 0.5A3 3 0 1 1 -3 0.5A3 3 0 1 1 3 0.5Z";

export const TASK_ICONS: Readonly<Record<string, Icon>> = {
  UserTask: { line: "M-8 8V4Q-8 0 -3 -1Q0 2 3 -1Q8 0 8 4V8ZM4 -5A4 4 0 1 1 -4 -5A4 4 0 1 1 4 -5Z" },
  ManualTask: {
    line: "M-8 -2L-3 -6H2Q4 -6 3 -4L0 -3H8Q9.500 -2 8 -1H2H8Q9.500 0.500 8 1.500H2H7Q8.500 3 7 4H2H5Q6.500 5.500 5 6.500H-4L-8 4Z",
  },
  ServiceTask: { line: GEAR },
  ScriptTask: { line: "M-5 8Q-9 4 -5 0Q-1 -4 -5 -8H5Q9 -4 5 0Q1 4 5 8ZM-4 -5H3M-2.500 -2H4M-4 2H3M-5 5H2" },
  SendTask: { fill: "M-8 -5.500H8L0 0.500ZM-8 -3.500V5.500H8V-3.500L0 2.500Z" },
  ReceiveTask: { line: ENVELOPE },
  BusinessRuleTask: { line: "M-8 -6H8V6H-8ZM-8 -2H8M-8 2H8M-3 -2V6", fill: "M-8 -6H8V-2H-8Z" },
};

/** Thrown events have their sign filled, caught ones outlined. */
export const EVENT_ICONS: Readonly<Record<string, string>> = {
  MessageEventDefinition: ENVELOPE,
  TimerEventDefinition: "M8 0A8 8 0 1 1 -8 0A8 8 0 1 1 8 0ZM0 -5.500V0L4 2M0 -8V-6.500M8 0H6.500M0 8V6.500M-8 0H-6.500",
  ErrorEventDefinition: "M-7 7L-3 -6L2 2L7 -7L3 6L-2 -2Z",
  EscalationEventDefinition: "M0 -8L6 7L0 1L-6 7Z",
  SignalEventDefinition: "M0 -8L8 6H-8Z",
  CompensateEventDefinition: "M-1 -6V6L-9 0ZM8 -6V6L0 0Z",
  ConditionalEventDefinition: "M-6 -8H6V8H-6ZM-4 -5H4M-4 -1.700H4M-4 1.700H4M-4 5H4",
  LinkEventDefinition: "M-8 -3.500H1V-7.500L9 0L1 7.500V3.500H-8Z",
  CancelEventDefinition: "M-7 -5L-5 -7L0 -2L5 -7L7 -5L2 0L7 5L5 7L0 2L-5 7L-7 5L-2 0Z",
  MultipleEventDefinition: "M0 -8L8 -2L5 7H-5L-8 -2Z",
  ParallelMultipleEventDefinition: "M-2.500 -8H2.500V-2.500H8V2.500H2.500V8H-2.500V2.500H-8V-2.500H-2.500Z",
};
export const TERMINATE = "M8 0A8 8 0 1 1 -8 0A8 8 0 1 1 8 0Z";

export const GATEWAY_ICONS: Readonly<Record<string, Icon>> = {
  ExclusiveGateway: { fill: "M-7 -9H-4L0 -3L4 -9H7L2 0L7 9H4L0 3L-4 9H-7L-2 0Z" },
  ParallelGateway: { fill: "M-1.500 -10H1.500V-1.500H10V1.500H1.500V10H-1.500V1.500H-10V-1.500H-1.500Z" },
  InclusiveGateway: {
    fill: "M10 0A10 10 0 1 1 -10 0A10 10 0 1 1 10 0ZM7.500 0A7.500 7.500 0 1 0 -7.500 0A7.500 7.500 0 1 0 7.500 0Z",
  },
  ComplexGateway: {
    fill: "M-1.300 -10H1.300V-3.200L6.100 -8L8 -6.100L3.200 -1.300H10V1.300H3.200L8 6.100L6.100 8L1.300 3.200V10H-1.300V3.200L-6.100 8L-8 6.100L-3.200 1.300H-10V-1.300H-3.200L-8 -6.100L-6.100 -8L-1.300 -3.200Z",
  },
  EventBasedGateway: {
    line: "M12 0A12 12 0 1 1 -12 0A12 12 0 1 1 12 0ZM9.500 0A9.500 9.500 0 1 1 -9.500 0A9.500 9.500 0 1 1 9.500 0ZM0 -6L6 -1.500L3.700 5.300H-3.700L-6 -1.500Z",
  },
};

/** At the foot of an activity. */
export const MARKERS = {
  collapsed: { line: "M-6 -6H6V6H-6ZM0 -4V4M-4 0H4" },
  loop: { line: "M-3 5.500A6 6 0 1 1 1 6M-3 5.500L-6.500 5M-3 5.500L-3 2" },
  parallel: { line: "M-4 -6V6M0 -6V6M4 -6V6" },
  sequential: { line: "M-6 -4H6M-6 0H6M-6 4H6" },
  compensation: { line: "M0 -5V5L-7 0ZM7 -5V5L0 0Z" },
  adHoc: { fill: "M-7 1Q-4 -5 0 -1.500Q4 2 7 -3V0Q4 5 0 1.500Q-4 -2 -7 4Z" },
} as const satisfies Readonly<Record<string, Icon>>;
