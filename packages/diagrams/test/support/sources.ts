// Diagrams of every kind Mermaid registers, written for these tests. The first part of a name is the kind.

const flow = (body: string) => `flowchart ${body}`;

export const SOURCES: Readonly<Record<string, string>> = {
  "flowchart/small": flow(
    "LR\n  a[Order placed] --> b{In stock?}\n  b -->|yes| c[Ship it]\n  b -->|no| d[Wait]\n  d --> b",
  ),
  "flowchart/top-down": flow(
    "TD\n  start([Start]) --> read[/Read the input/]\n  read --> check{Valid?}\n  check -- yes --> store[(Database)]\n  check -- no --> fail[[Report the fault]]\n  store --> stop((Stop))\n  fail --> stop",
  ),
  "flowchart/subgraphs": flow(
    "TB\n  subgraph one [First part]\n    a1 --> a2\n  end\n  subgraph two [Second part]\n    direction LR\n    b1 --> b2 --> b3\n  end\n  a2 --> b1\n  one --> two\n  b3 --> c[Done]",
  ),
  "flowchart/shapes": flow(
    "LR\n  a(Rounded) --- b([Stadium]) --- c[[Subroutine]] --- d[(Cylinder)]\n  d --- e((Circle)) --- f>Flag] --- g{Rhombus} --- h{{Hexagon}}\n  h --- i[/Slanted/] --- j[\\\\Back\\\\] --- k[/Trapezoid\\\\] --- l(((Double)))",
  ),
  "flowchart/new-shapes": flow(
    'TD\n  a@{ shape: doc, label: "A document" } --> b@{ shape: delay, label: "Delay" }\n  b --> c@{ shape: cyl, label: "Store" }\n  c --> d@{ shape: braces, label: "A remark" }\n  d --> e@{ shape: bow-rect, label: "Saved data" } --> f@{ shape: hourglass }\n  f --> g@{ shape: lin-rect, label: "Lined" } --> h@{ shape: notch-rect, label: "Card" }',
  ),
  "flowchart/edges": flow(
    "LR\n  a --> b\n  a --- c\n  a -.-> d\n  a ==> e\n  a --o f\n  a --x g\n  a <--> h\n  a -- words on it --> i\n  a -. dotted words .-> j\n  a == thick words ==> k\n  a ~~~ l\n  a ---> m\n  a ----> n",
  ),
  "flowchart/styles": flow(
    "TD\n  a:::hot --> b\n  b --> c\n  style b fill:#bbf,stroke:#333,stroke-width:4px,color:#fff\n  classDef hot fill:#f96,stroke:#900,font-weight:bold\n  linkStyle 0 stroke:#f00,stroke-width:3px\n  class c hot",
  ),
  "flowchart/markdown": flow(
    'LR\n  a["`**Bold** and _slanted_\nin two lines`"] --> b["`A long text in Markdown that is wrapped because it is wider than a node may be`"]\n  b -- "`on **the** edge`" --> c',
  ),
  "flowchart/long-labels": flow(
    "TD\n  a[This is a label that is so long that it has to be broken into several lines] --> b[Another one<br/>with a break<br>and one more]\n  b -->|and a label on the edge that is long enough to be wrapped as well, surely| c",
  ),
  "flowchart/unicode": flow(
    "LR\n  a[Grüße aus Köln] --> b[Привет, мир]\n  b --> c[Γειά σου Κόσμε]\n  c --> d[Ñandú – “quoted” … €]",
  ),
  "flowchart/dagre": `---\nconfig:\n  layout: dagre\n---\n${flow("TD\n  a[Order placed] --> b{In stock?}\n  b -->|yes| c[Ship it]\n  b -->|no| d[Wait]\n  d --> b\n  c --> e[Invoice]\n  subgraph s [Later]\n    e --> f\n  end")}`,
  "flowchart/links": flow(
    'LR\n  a --> b\n  click a "https://example.com/a" "A tooltip" _blank\n  click b href "https://example.com/b"',
  ),
  "flowchart/large": flow(
    `TD\n${Array.from({ length: 60 }, (_, at) => `  n${at}[Step number ${at}] --> n${(at * 7 + 3) % 60}\n  n${at} --> n${at + 1}`).join("\n")}`,
  ),
  "flowchart/classic": `---\nconfig:\n  theme: default\n  look: classic\n---\n${flow("LR\n  a[Square] --> b(Round) --> c{Choice}")}`,
  "flowchart/hand-drawn": `---\nconfig:\n  look: handDrawn\n  handDrawnSeed: 3\n---\n${flow("LR\n  a[Square] --> b(Round) --> c{Choice}")}`,
  "flowchart-elk/small": "flowchart-elk LR\n  a[One] --> b[Two] --> c[Three]\n  a --> c",
  "swimlane/small":
    "swimlane-beta LR\n  subgraph sales [Sales]\n    a[Take the order] --> b[Check credit]\n  end\n  subgraph stock [Warehouse]\n    c[Pick] --> d[Pack]\n  end\n  b --> c",
  "agentflow/small":
    "agentflow-beta LR\n  flow main [Answer a question]\n    a([Question]) --> b[Search]\n    b --> c[Write the answer]\n  end",
  "sequence/small": "sequenceDiagram\n  Alice->>Bob: Hello Bob, how are you?\n  Bob-->>Alice: Fine, thank you.",
  "sequence/blocks":
    "sequenceDiagram\n  autonumber\n  participant A as Client\n  participant B as Server\n  participant C as Store\n  A->>+B: POST /render\n  alt in the cache\n    B-->>A: 200\n  else not there\n    B->>+C: submit\n    C-->>-B: stored\n    B-->>-A: 202\n  end\n  loop every second\n    A->>B: GET /jobs/1\n  end\n  opt when done\n    B-->>A: 200 with a link\n  end",
  "sequence/notes":
    "sequenceDiagram\n  participant A\n  actor B\n  Note left of A: At the left\n  Note right of B: At the right\n  Note over A,B: Over both, and long enough to be wrapped\n  A-xB: lost\n  A-)B: async\n  B--)A: async back\n  A->>A: to oneself\n  A<<->>B: both ways",
  "sequence/boxes":
    "sequenceDiagram\n  box Aqua The first group\n    participant A\n    participant B\n  end\n  box rgb(240,230,200) The second\n    participant C\n  end\n  A->>B: one\n  B->>C: two\n  par at once\n    A->>B: three\n  and\n    B->>C: four\n  end\n  critical connect\n    A->>C: five\n  option timeout\n    A->>A: log\n  end\n  break it fails\n    C-->>A: six\n  end\n  rect rgb(220,240,220)\n    A->>C: seven\n  end",
  "sequence/create":
    "sequenceDiagram\n  Alice->>Bob: Hello\n  create participant Carl\n  Bob->>Carl: Hi Carl\n  destroy Carl\n  Carl-xBob: Bye\n  destroy Bob\n  Bob->>Alice: Bye too",
  "sequence/types":
    'sequenceDiagram\n  participant A@{ "type": "boundary" }\n  participant B@{ "type": "control" }\n  participant C@{ "type": "entity" }\n  participant D@{ "type": "database" }\n  participant E@{ "type": "queue" }\n  A->>B: one\n  B->>C: two\n  C->>D: three\n  D->>E: four',
  "sequence/long": `sequenceDiagram\n${Array.from({ length: 40 }, (_, at) => `  P${at % 5}->>P${(at + 2) % 5}: Message number ${at}, with some words`).join("\n")}`,
  "class/small":
    "classDiagram\n  class Animal {\n    +String name\n    +int age\n    +eat(food) bool\n  }\n  class Dog\n  Animal <|-- Dog\n  Dog : +bark()",
  "class/relations":
    'classDiagram\n  A <|-- B : inherits\n  C *-- D : has\n  E o-- F : holds\n  G <-- H : uses\n  I -- J : knows\n  K <.. L : needs\n  M <|.. N : keeps\n  Customer "1" --> "*" Order : places',
  "class/namespaces":
    'classDiagram\n  namespace Shapes {\n    class Triangle\n    class Square {\n      +double side\n      +area() double\n    }\n  }\n  class Drawing\n  Drawing --> Square\n  Drawing --> Triangle\n  <<interface>> Drawing\n  note for Drawing "A remark about it"',
  "class/generics":
    "classDiagram\n  direction LR\n  class List~T~ {\n    <<abstract>>\n    -T[] items\n    #count int$\n    +add(T item)* void\n    ~pick() List~int~\n  }\n  class Stack\n  List~T~ <|-- Stack",
  "class/styled":
    "classDiagram\n  class Plain\n  class Loud:::hot\n  Plain --> Loud\n  classDef hot fill:#f96,stroke:#333",
  "state/small":
    "stateDiagram-v2\n  [*] --> Pending\n  Pending --> Running : claimed\n  Running --> Completed\n  Running --> Failed : error\n  Failed --> Pending : revived\n  Completed --> [*]",
  "state/composite":
    "stateDiagram-v2\n  [*] --> Active\n  state Active {\n    [*] --> Idle\n    Idle --> Busy : job\n    Busy --> Idle : settled\n  }\n  Active --> [*]",
  "state/forks":
    "stateDiagram-v2\n  state fork <<fork>>\n  state join <<join>>\n  state choice <<choice>>\n  [*] --> fork\n  fork --> A\n  fork --> B\n  A --> join\n  B --> join\n  join --> choice\n  choice --> C : if n > 0\n  choice --> [*] : otherwise\n  note right of C : A remark\n  C --> [*]",
  "state/concurrent":
    "stateDiagram-v2\n  direction LR\n  state Both {\n    [*] --> L1\n    L1 --> L2\n    --\n    [*] --> R1\n    R1 --> R2\n  }\n  [*] --> Both",
  "state/described":
    'stateDiagram-v2\n  s1 : A state with a description\n  state "Another long description" as s2\n  s1 --> s2\n  classDef hot fill:#f66,color:white\n  class s2 hot',
  "er/small":
    "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  ORDER ||--|{ LINE : contains\n  CUSTOMER }|..|{ ADDRESS : uses",
  "er/attributes":
    'erDiagram\n  CUSTOMER {\n    string name PK "the full name"\n    string email UK\n    int age\n  }\n  ORDER {\n    int id PK\n    int customer FK "who ordered"\n  }\n  CUSTOMER ||--o{ ORDER : places',
  "er/aliases":
    'erDiagram\n  p[Person] {\n    string first\n    string last\n  }\n  a["Bank account"] {\n    string iban\n  }\n  p ||--o| a : has\n  p }o--o{ p : knows',
  "er/direction": "erDiagram\n  direction LR\n  A ||--|| B : first\n  B }o--|| C : second\n  C |o--o| D : third",
  "gantt/small":
    "gantt\n  title A small plan\n  todayMarker off\n  dateFormat YYYY-MM-DD\n  section Design\n  Draw it :a1, 2026-01-05, 10d\n  Judge it :after a1, 5d\n  section Build\n  Write it :2026-01-12, 12d\n  Test it :24d",
  "gantt/marks":
    "gantt\n  todayMarker off\n  dateFormat YYYY-MM-DD\n  axisFormat %d %b\n  excludes weekends\n  section Work\n  Finished :done, d1, 2026-03-02, 3d\n  Under way :active, d2, after d1, 4d\n  Critical :crit, d3, after d2, 5d\n  Both :crit, done, d4, 2026-03-02, 2d\n  Delivery :milestone, m1, after d3, 0d\n  section Rest\n  A task with a name that does not fit into its bar :2026-03-05, 1d",
  "gantt/compact":
    "---\ndisplayMode: compact\n---\ngantt\n  title Compact\n  todayMarker off\n  dateFormat YYYY-MM-DD\n  section One\n  A :a1, 2026-01-01, 10d\n  B :2026-01-20, 10d\n  C :2026-01-10, 8d",
  "gantt/hours":
    "gantt\n  todayMarker off\n  dateFormat HH:mm\n  axisFormat %H:%M\n  section Morning\n  Standup :09:00, 15m\n  Review :09:30, 45m\n  section Noon\n  Lunch :12:00, 1h",
  "pie/small": 'pie title Pets\n  "Dogs" : 386\n  "Cats" : 85\n  "Rats" : 15',
  "pie/data":
    'pie showData\n  title Browsers in use\n  "Chromium" : 64.5\n  "Safari" : 19.2\n  "Firefox" : 8.1\n  "Others, many of them" : 8.2',
  "mindmap/small":
    "mindmap\n  root((Millrace))\n    Store\n      SQLite\n      PostgreSQL\n    Workloads\n      Diagrams\n      Sites",
  "mindmap/shapes":
    "mindmap\n  root)Cloud(\n    a[Square]\n    b(Rounded)\n    c((Circle))\n    d))Bang((\n    e{{Hexagon}}\n    f A long line of text that has to be wrapped somewhere\n      g deeper\n        h deepest",
  "gitGraph/small":
    'gitGraph\n  commit id: "one"\n  commit id: "two"\n  branch develop\n  commit id: "three"\n  checkout main\n  commit id: "four"\n  merge develop',
  "gitGraph/tags":
    'gitGraph LR:\n  commit id: "a" tag: "v1.0"\n  branch feature/long-name\n  commit id: "b" type: HIGHLIGHT\n  commit id: "c" type: REVERSE\n  checkout main\n  commit id: "d"\n  cherry-pick id: "b"\n  merge feature/long-name tag: "v2.0"',
  "gitGraph/vertical":
    'gitGraph TB:\n  commit id: "one"\n  branch next\n  commit id: "two"\n  checkout main\n  commit id: "three"',
  "timeline/small":
    "timeline\n  title History of the web\n  1991 : First page\n  1993 : Mosaic\n  1995 : JavaScript : Java\n  2008 : Chrome",
  "timeline/sections":
    "timeline\n  title Industry\n  section 17th to 20th century\n    Industry 1.0 : Machinery : Water power : Steam power\n    Industry 2.0 : Electricity : Mass production\n  section 21st century\n    Industry 3.0 : Electronics : Computers\n    Industry 4.0 : Internet : Robotics, and more words than fit",
  "journey/small":
    "journey\n  title My working day\n  section Go to work\n    Make tea: 5: Me\n    Go upstairs: 3: Me\n    Do work: 1: Me, Cat\n  section Go home\n    Go downstairs: 5: Me\n    Sit down: 5: Me",
  "journey/long":
    "journey\n  title A customer\n  section Discovers\n    Reads a long article about the product: 4: Customer, Editor\n    Opens the page: 3: Customer\n  section Buys\n    Compares the prices: 2: Customer, Competitor\n    Pays: 5: Customer",
  "quadrant/small":
    "quadrantChart\n  title Reach and engagement\n  x-axis Low Reach --> High Reach\n  y-axis Low Engagement --> High Engagement\n  quadrant-1 We should expand\n  quadrant-2 Need to promote\n  quadrant-3 Re-evaluate\n  quadrant-4 May be improved\n  Campaign A: [0.3, 0.6]\n  Campaign B: [0.45, 0.23]\n  Campaign C: [0.57, 0.69]",
  "quadrant/styled":
    "quadrantChart\n  x-axis Urgent --> Not urgent\n  y-axis Not important --> Important\n  quadrant-1 Plan\n  quadrant-2 Do\n  quadrant-3 Delegate\n  quadrant-4 Delete\n  A: [0.9, 0.1] radius: 12, color: #ff3300\n  B: [0.2, 0.8] radius: 10, stroke-width: 5px, stroke-color: #00ff00",
  "c4/context":
    'C4Context\n  title System context of a bank\n  Person(a, "Customer", "Has an account.")\n  System(b, "Internet banking", "Lets customers see their accounts and make payments.")\n  System_Ext(c, "Mail", "Sends mail.")\n  Rel(a, b, "Uses")\n  Rel(b, c, "Sends mail with", "SMTP")',
  "c4/container":
    'C4Container\n  title Containers\n  Person(a, "Customer")\n  System_Boundary(s, "Banking") {\n    Container(w, "Web", "TypeScript", "Serves pages")\n    ContainerDb(d, "Database", "SQLite", "Keeps jobs")\n  }\n  Rel(a, w, "Uses", "HTTPS")\n  Rel(w, d, "Reads and writes")',
  "requirement/small":
    "requirementDiagram\n  requirement fast {\n    id: 1\n    text: It must be fast.\n    risk: high\n    verifymethod: test\n  }\n  element engine {\n    type: code\n    docref: src\n  }\n  engine - satisfies -> fast",
  "sankey/small":
    "sankey-beta\n\nCoal,Electricity,25\nGas,Electricity,15\nElectricity,Homes,22\nElectricity,Industry,18",
  "packet/small":
    'packet-beta\n  title UDP\n  0-15: "Source Port"\n  16-31: "Destination Port"\n  32-47: "Length"\n  48-63: "Checksum"\n  64-95: "Data"',
  "xychart/small":
    'xychart-beta\n  title "Revenue"\n  x-axis [jan, feb, mar, apr, may]\n  y-axis "Euro" 0 --> 100\n  bar [20, 45, 60, 30, 80]\n  line [10, 50, 55, 40, 90]',
  "xychart/horizontal":
    'xychart-beta horizontal\n  x-axis ["a long name", b, c]\n  y-axis 0 --> 50\n  bar [20, 45, 10]',
  "block/small":
    'block-beta\n  columns 3\n  a["One"] b["Two"] c["Three"]\n  d["Wide"]:2 e\n  space f(("Round"))\n  a --> f',
  "architecture/small":
    "architecture-beta\n  group api(cloud)[API]\n  service db(database)[Database] in api\n  service disk(disk)[Storage] in api\n  service server(server)[Server] in api\n  db:L -- R:server\n  disk:T -- B:server",
  "kanban/small":
    "kanban\n  Todo\n    [Write the tests]\n    docs[Write the guide]@{ assigned: 'ann', priority: 'High' }\n  [In progress]\n    id6[Draw the diagrams, all of them]\n  Done\n    id5[Read the research]@{ ticket: MR-4 }",
  "radar/small":
    'radar-beta\n  title Skills\n  axis a["Speed"], b["Safety"], c["Looks"], d["Price"]\n  curve x["Ours"]{80, 90, 85, 70}\n  curve y["Theirs"]{60, 40, 70, 90}\n  max 100\n  min 0',
  "treemap/small": 'treemap-beta\n"Disk"\n  "Photos": 40\n  "Music": 25\n  "Work"\n    "Code": 20\n    "Papers": 15',
  "treeView/small": "treeView-beta\n  src\n    pool\n      claim.ts\n      settle.ts\n    store\n      sqlite\n  test",
  "eventmodeling/small":
    "eventmodeling\n  tf 01 ui Cart\n  tf 02 cmd AddItem\n  tf 03 evt ItemAdded\n  tf 04 rmo CartView",
  "ishikawa/small":
    "ishikawa-beta\n  Late delivery\n    People\n      Too few\n      Untrained\n    Machines\n      Broken\n    Methods\n      Unclear",
  "venn/small": 'venn-beta\n  set A["Cats"]\n  set B["Dogs"]\n  union A,B["Pets"]',
  "usecase/small":
    "usecase-beta\n  actor Customer\n  actor Clerk\n  systemBoundary Shop\n    Buy(Buy a thing)\n    Return(Return it)\n  end\n  Customer --> Buy\n  Clerk --> Return",
  "wardley/small":
    "wardley-beta\n  title Tea shop\n  anchor Public [0.95, 0.63]\n  component Tea [0.79, 0.61]\n  component Water [0.38, 0.82]\n  Public -> Tea\n  Tea -> Water",
  "cynefin/small":
    'cynefin-beta\n  title Problems\n  complex\n    "Culture"\n  complicated\n    "Design"\n  clear\n    "Payroll"\n  chaotic\n    "Outage"',
  "railroad/small": 'railroad-beta\n  rule = sequence(terminal("a"), choice(terminal("b"), nonterminal("c")));',
  "railroadEbnf/small": 'railroad-ebnf-beta\n  number = digit, { digit } ;\n  digit = "0" | "1" | "2" ;',
  "railroadAbnf/small": 'railroad-abnf-beta\n  number = 1*digit ;\n  digit = "0" / "1" / "2" ;',
  "railroadPeg/small": 'railroad-peg-beta\n  number <- digit+ ;\n  digit <- "0" / "1" / "2" ;',
  "info/small": "info",
};
