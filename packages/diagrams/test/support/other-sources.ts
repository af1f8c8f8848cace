// D2 and Graphviz, written for these tests.

export const D2_SOURCES: Readonly<Record<string, string>> = {
  small: "order -> stock: in stock?\nstock -> ship: yes\nstock -> wait: no\nwait -> stock",
  containers:
    "client -> api.gateway: HTTPS\napi: API {\n  gateway -> jobs: submit\n  jobs: { shape: queue }\n  store: { shape: cylinder }\n  jobs -> store\n}\napi.store -> backup: nightly { style.stroke-dash: 4 }",
  shapes:
    "a: { shape: circle }\nb: { shape: hexagon }\nc: { shape: cloud }\nd: { shape: person }\ne: { shape: page }\nf: { shape: diamond }\ng: { shape: oval }\nh: { shape: stored_data }\na -> b -> c -> d\ne -> f -> g -> h",
  table:
    "jobs: {\n  shape: sql_table\n  id: int { constraint: primary_key }\n  kind: text\n  tenant: text { constraint: foreign_key }\n}\ntenants: {\n  shape: sql_table\n  name: text { constraint: primary_key }\n}\njobs.tenant -> tenants.name",
  class:
    'Pool: {\n  shape: class\n  +size: int\n  -slots: "Slot[]"\n  claim(limit int): "Lease[]"\n}\nPool -> Slot: holds { source-arrowhead: 1; target-arrowhead: * }',
  sequence:
    'shape: sequence_diagram\nalice -> bob: Can you hear me?\nbob -> alice: Yes { style.stroke-dash: 5 }\nalice."thinks about it"\nalice -> bob: Good.',
  grid: "grid-rows: 2\ngrid-columns: 3\na\nb\nc\nd: { style.fill: '#fde' }\ne\nf",
  markdown:
    "note: |md\n  # What it is\n  A *durable* queue:\n\n  - one file\n  - one process\n\n  `npm start`\n|\nnote -> code: shows\ncode: |ts\n  const job = await submit({ text: 'hello' });\n|",
  styled:
    "a -> b: bold { style: { stroke: red; stroke-width: 4; font-size: 20; bold: true } }\na: { style: { fill: '#def'; border-radius: 8; shadow: true } }\nb: { style: { multiple: true; 3d: false; opacity: 0.7 } }",
};

export const GRAPHVIZ_SOURCES: Readonly<Record<string, string>> = {
  digraph:
    'digraph { rankdir=LR; order -> stock [label="in stock?"]; stock -> ship [label=yes]; stock -> wait [label=no]; wait -> stock }',
  clusters:
    'digraph { subgraph cluster_a { label="First"; style=filled; color=lightgrey; a1 -> a2 } subgraph cluster_b { label="Second"; b1 -> b2 } a2 -> b1; node [shape=box, style="rounded,filled", fillcolor="#def"]; b2 -> done }',
  records:
    'digraph { node [shape=record]; job [label="{job|{id|kind|state}}"]; lease [label="<t>token|<e>expires"]; job -> lease:t; html [shape=plain, label=<<table border="0" cellborder="1"><tr><td bgcolor="#fed">a</td><td>b</td></tr></table>>]; lease:e -> html }',
  graph: "graph { layout=neato; a -- b -- c -- a; c -- d [style=dashed]; d -- e [color=red, penwidth=3] }",
};
