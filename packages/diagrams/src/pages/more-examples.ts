// The smaller languages in the order of the editor: the title of each, and one example.

const example = (title: string, name: string, source: string) => ({ title, examples: [{ name, source }] });

export const MORE_LANGUAGES = {
  plantuml: example(
    "PlantUML",
    "Sequence",
    `@startuml
actor App
participant Millrace
database Store
App -> Millrace : submit
Millrace -> Store : one commit
Millrace --> App : job id
@enduml
`,
  ),
  vegalite: example(
    "Vega-Lite",
    "Bars",
    `{
  "data": {
    "values": [
      { "state": "completed", "jobs": 91 },
      { "state": "running", "jobs": 12 },
      { "state": "failed", "jobs": 3 }
    ]
  },
  "mark": "bar",
  "encoding": {
    "y": { "field": "state", "type": "nominal" },
    "x": { "field": "jobs", "type": "quantitative" }
  }
}
`,
  ),
  vega: example(
    "Vega",
    "Bars",
    `{
  "width": 200,
  "height": 100,
  "data": [{ "name": "jobs", "values": [{ "hour": 1, "count": 28 }, { "hour": 2, "count": 55 }, { "hour": 3, "count": 43 }] }],
  "scales": [
    { "name": "x", "type": "band", "domain": { "data": "jobs", "field": "hour" }, "range": "width", "padding": 0.1 },
    { "name": "y", "domain": { "data": "jobs", "field": "count" }, "range": "height", "nice": true }
  ],
  "axes": [{ "orient": "bottom", "scale": "x" }, { "orient": "left", "scale": "y" }],
  "marks": [
    {
      "type": "rect",
      "from": { "data": "jobs" },
      "encode": {
        "enter": {
          "x": { "scale": "x", "field": "hour" },
          "width": { "scale": "x", "band": 1 },
          "y": { "scale": "y", "field": "count" },
          "y2": { "scale": "y", "value": 0 },
          "fill": { "value": "steelblue" }
        }
      }
    }
  ]
}
`,
  ),
  nomnoml: example(
    "nomnoml",
    "Classes",
    `#direction: right
[Job|id; kind; state|submit(); settle()]
[Job] o-> 1..* [Attempt]
[Attempt] -> [Lease]
[<database>Store] <- [Job]
`,
  ),
  bpmn: example(
    "BPMN",
    "Process",
    `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="example">
  <process id="order">
    <startEvent id="start" name="Order received"/>
    <serviceTask id="check" name="Check the stock"/>
    <exclusiveGateway id="known" name="In stock?"/>
    <userTask id="ship" name="Ship the order"/>
    <sendTask id="refuse" name="Refuse the order"/>
    <endEvent id="shipped" name="Shipped"/>
    <endEvent id="refused" name="Refused"/>
    <sequenceFlow id="f1" sourceRef="start" targetRef="check"/>
    <sequenceFlow id="f2" sourceRef="check" targetRef="known"/>
    <sequenceFlow id="f3" sourceRef="known" targetRef="ship" name="yes"/>
    <sequenceFlow id="f4" sourceRef="known" targetRef="refuse" name="no"/>
    <sequenceFlow id="f5" sourceRef="ship" targetRef="shipped"/>
    <sequenceFlow id="f6" sourceRef="refuse" targetRef="refused"/>
  </process>
</definitions>
`,
  ),
  dbml: example(
    "DBML",
    "Tables",
    `Table jobs {
  id text [pk]
  kind text [not null]
  state job_state
}

Table attempts {
  id int [pk, increment]
  job_id text [ref: > jobs.id]
  started_at timestamp
}

Enum job_state {
  pending
  running
  completed
  failed
}
`,
  ),
  statemachinecat: example(
    "State machine cat",
    "States",
    `initial, pending, running, completed, failed, final;

initial => pending;
pending => running: claim;
running => completed: settle;
running => pending: retry;
running => failed: last attempt;
completed => final;
`,
  ),
  wavedrom: example(
    "WaveDrom",
    "Signals",
    `{ signal: [
  { name: "clock", wave: "p......" },
  { name: "data", wave: "x.345x.", data: ["head", "body", "tail"] },
  { name: "ready", wave: "0.1..0." }
] }
`,
  ),
  bytefield: example(
    "Bytefield",
    "Header",
    `(draw-column-headers)
(draw-box "length" {:span 4})
(draw-box "kind" {:span 2})
(draw-box "flags" {:span 2})
(draw-box "id" {:span 8})
(draw-gap "payload")
(draw-bottom)
`,
  ),
  pikchr: example(
    "Pikchr",
    "Boxes",
    `arrow right 150% "submit"
box rad 10px "Store" fit
arrow right 150% "claim"
cylinder "Pool" fit
`,
  ),
  svgbob: example(
    "Svgbob",
    "Boxes",
    `  .--------.      +-------+
  | submit |----->| store |---.
  '--------'      +-------+   |
                      ^       v
                      |   .---------.
                      '---| process |
                          '---------'
`,
  ),
  railroad: example(
    "Railroad",
    "Grammar",
    `job = id, kind, [ payload ];
id = "job_", letter, { letter | digit };
payload = object | array;
`,
  ),
} as const;
