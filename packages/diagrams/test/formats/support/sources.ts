// Sources of the smaller languages, written for these tests: names are `format/what it shows`.

import type { Format } from "../../../src/api/formats.ts";

const SOURCES_BY_NAME: Readonly<Record<string, string>> = {
  "bpmn/collaboration": `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:bioc="http://bpmn.io/schema/bpmn/biocolor/1.0" targetNamespace="t">
<bpmn:collaboration id="c"><bpmn:participant id="p1" name="Shop" processRef="pr"/><bpmn:participant id="p2" name="Customer"/>
<bpmn:messageFlow id="m1" name="order" sourceRef="p2" targetRef="s"/></bpmn:collaboration>
<bpmn:process id="pr"><bpmn:laneSet><bpmn:lane id="l1" name="Sales"><bpmn:flowNodeRef>s</bpmn:flowNodeRef></bpmn:lane><bpmn:lane id="l2" name="Stock"/></bpmn:laneSet>
<bpmn:startEvent id="s" name="Order"><bpmn:messageEventDefinition/></bpmn:startEvent>
<bpmn:userTask id="t" name="Check order"><bpmn:multiInstanceLoopCharacteristics isSequential="true"/></bpmn:userTask>
<bpmn:boundaryEvent id="b" name="2 days" cancelActivity="false" attachedToRef="t"><bpmn:timerEventDefinition/></bpmn:boundaryEvent>
<bpmn:parallelGateway id="g"/>
<bpmn:eventBasedGateway id="g2" name="Which?"/>
<bpmn:inclusiveGateway id="g3"/><bpmn:complexGateway id="g4"/>
<bpmn:subProcess id="sub" name="Pack it"><bpmn:scriptTask id="sc" name="Print"/></bpmn:subProcess>
<bpmn:callActivity id="ca" name="Bill it"><bpmn:standardLoopCharacteristics/></bpmn:callActivity>
<bpmn:manualTask id="mt" name="Carry"/><bpmn:businessRuleTask id="br" name="Decide"/><bpmn:receiveTask id="rt" name="Receive"/>
<bpmn:intermediateThrowEvent id="ie" name="Tell"><bpmn:signalEventDefinition/></bpmn:intermediateThrowEvent>
<bpmn:intermediateCatchEvent id="ic"><bpmn:conditionalEventDefinition><bpmn:condition/></bpmn:conditionalEventDefinition></bpmn:intermediateCatchEvent>
<bpmn:endEvent id="e1" name="Broken"><bpmn:errorEventDefinition/></bpmn:endEvent>
<bpmn:endEvent id="e2"><bpmn:messageEventDefinition/></bpmn:endEvent>
<bpmn:dataObjectReference id="do" name="Invoice" dataObjectRef="dob"/><bpmn:dataObject id="dob" isCollection="true"/>
<bpmn:dataStoreReference id="ds" name="Ledger"/>
<bpmn:textAnnotation id="ta"><bpmn:text>only on workdays</bpmn:text></bpmn:textAnnotation>
<bpmn:association id="as" sourceRef="t" targetRef="ta"/>
<bpmn:group id="gr"/>
<bpmn:sequenceFlow id="f1" sourceRef="s" targetRef="t"/><bpmn:sequenceFlow id="f2" name="fine" sourceRef="t" targetRef="g"><bpmn:conditionExpression>x</bpmn:conditionExpression></bpmn:sequenceFlow>
</bpmn:process>
<bpmndi:BPMNDiagram><bpmndi:BPMNPlane bpmnElement="c">
<bpmndi:BPMNShape bpmnElement="p1" isHorizontal="true"><dc:Bounds x="100" y="100" width="820" height="420"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="l1"><dc:Bounds x="130" y="100" width="790" height="200"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="l2"><dc:Bounds x="130" y="300" width="790" height="220"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="p2" isHorizontal="true"><dc:Bounds x="100" y="560" width="820" height="60"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="s"><dc:Bounds x="160" y="170" width="36" height="36"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="t" bioc:stroke="#1e88e5" bioc:fill="#bbdefb"><dc:Bounds x="250" y="150" width="100" height="80"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="b"><dc:Bounds x="330" y="212" width="36" height="36"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="g"><dc:Bounds x="400" y="165" width="50" height="50"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="g2"><dc:Bounds x="480" y="165" width="50" height="50"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="g3"><dc:Bounds x="560" y="165" width="50" height="50"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="g4"><dc:Bounds x="640" y="165" width="50" height="50"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="ie"><dc:Bounds x="720" y="172" width="36" height="36"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="ic"><dc:Bounds x="790" y="172" width="36" height="36"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="e1"><dc:Bounds x="860" y="172" width="36" height="36"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="sub" isExpanded="true"><dc:Bounds x="160" y="330" width="160" height="110"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="sc"><dc:Bounds x="200" y="355" width="90" height="60"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="ca"><dc:Bounds x="350" y="340" width="100" height="80"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="mt"><dc:Bounds x="470" y="340" width="90" height="70"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="br"><dc:Bounds x="580" y="340" width="90" height="70"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="rt"><dc:Bounds x="690" y="340" width="90" height="70"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="e2"><dc:Bounds x="850" y="350" width="36" height="36"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="do"><dc:Bounds x="380" y="440" width="36" height="50"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="ds"><dc:Bounds x="480" y="440" width="50" height="50"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="ta"><dc:Bounds x="600" y="110" width="120" height="30"/></bpmndi:BPMNShape>
<bpmndi:BPMNShape bpmnElement="gr"><dc:Bounds x="570" y="320" width="230" height="110"/></bpmndi:BPMNShape>
<bpmndi:BPMNEdge bpmnElement="f1"><di:waypoint x="196" y="188"/><di:waypoint x="250" y="190"/></bpmndi:BPMNEdge>
<bpmndi:BPMNEdge bpmnElement="f2"><di:waypoint x="350" y="190"/><di:waypoint x="400" y="190"/></bpmndi:BPMNEdge>
<bpmndi:BPMNEdge bpmnElement="m1"><di:waypoint x="178" y="560"/><di:waypoint x="178" y="206"/></bpmndi:BPMNEdge>
<bpmndi:BPMNEdge bpmnElement="as"><di:waypoint x="350" y="160"/><di:waypoint x="600" y="125"/></bpmndi:BPMNEdge>
</bpmndi:BPMNPlane></bpmndi:BPMNDiagram></bpmn:definitions>`,
  "bpmn/without-places": `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x" id="d">
<process id="p" isExecutable="false">
  <startEvent id="s" name="Order received"><outgoing>f1</outgoing></startEvent>
  <userTask id="t1" name="Check the &lt;stock&gt; and 漢字 of all items"><incoming>f1</incoming><outgoing>f2</outgoing></userTask>
  <exclusiveGateway id="g" name="In stock?"><incoming>f2</incoming><outgoing>f3</outgoing><outgoing>f4</outgoing></exclusiveGateway>
  <serviceTask id="t2" name="Ship"><incoming>f3</incoming><outgoing>f5</outgoing></serviceTask>
  <sendTask id="t3" name="Cancel"><incoming>f4</incoming><outgoing>f6</outgoing></sendTask>
  <endEvent id="e"><incoming>f5</incoming></endEvent>
  <endEvent id="e2" name="Gone"><incoming>f6</incoming><terminateEventDefinition/></endEvent>
  <sequenceFlow id="f1" sourceRef="s" targetRef="t1"/>
  <sequenceFlow id="f2" sourceRef="t1" targetRef="g"/>
  <sequenceFlow id="f3" name="yes" sourceRef="g" targetRef="t2"/>
  <sequenceFlow id="f4" name="no" sourceRef="g" targetRef="t3"/>
  <sequenceFlow id="f5" sourceRef="t2" targetRef="e"/>
  <sequenceFlow id="f6" sourceRef="t3" targetRef="e2"/>
</process></definitions>`,
  "bytefield/header": `(def boxes-per-row 8)
(draw-column-headers)
(draw-box "Address &lt;" {:span 4 :fill "#a0ffa0"})
(draw-box "Size" {:span 2})
(draw-box (text "TxID" :math [:sub 1]) {:span 2 :fill "#ffffa0"})
(draw-gap "Payload 漢字")
(draw-bottom)`,
  "dbml/shop": `Project shop { note: 'x' }
Table users as U [headercolor: #3498DB] {
  id integer [pk, increment]
  name varchar(255) [not null, unique, note: 'a note']
  country "character varying" [ref: > countries.code]
  status user_status
  Note: 'Stores "users" <b>'
}
Table countries { code char(2) [pk]
 漢字 text }
Table core.orders { id int [pk]
  user_id int
  primary_item int [ref: - order_items.id] }
Table order_items { id int [pk]
  order_id int [ref: > core.orders.id]
  qty decimal(10,2) [default: 1] }
Ref places: core.orders.user_id > U.id [delete: cascade]
Enum user_status { active
 "in <active>" }
TableGroup sales { core.orders
 order_items }`,
  "nomnoml/classes": `#title: shop
#direction: right
[<actor>Customer] -> [Order|+id: int;+total: 漢字;|submit();cancel()]
[Order] o-> 1..* [Item]
[Item] --:> [Thing]
[<package>Store|[<database>db]->[<start>s]]
[Order] -> [Store]
[<note>a <b>bold</b> & "note"] -- [Order]
[<choice>ok?] yes -> [<end>e]
[ok?]->[Store]`,
  "pikchr/boxes": `arrow right 200% "Markdown" "Source"
box rad 10px "Markdown" "Formatter" "(markdown.c)" fit
arrow right 200% "HTML+SVG" "Output"
arrow <-> down 70% from last box.s
box same "Pikchr" "Formatter" "漢字 <b>" fit color blue
cylinder "db" at 1cm below last box.s`,
  "plantuml/activity": `@startuml
!theme cerulean
:start;
if (ok?) then (yes)
 :a;
else
 :b;
endif
stop
@enduml`,
  "plantuml/class": `class A {
 +int x
 -foo()
}
A <|-- B
A o-- "1..*" C : has 漢字
enum E {
 a
 b
}`,
  "plantuml/components": `@startuml
component [Web] as W
database DB
W --> DB : sql
sprite $s [8x8/16] {
00000000
0FFFFFF0
0F0000F0
0F0FF0F0
0F0FF0F0
0F0000F0
0FFFFFF0
00000000
}
node "<$s> sprite" as n
n --> W
usecase (use it)
actor :me:
:me: --> (use it)
@enduml`,
  "plantuml/gantt": `@startgantt
project starts 2026-01-05
[a] lasts 5 days
[b] lasts 3 days
[b] starts at [a]'s end
@endgantt`,
  "plantuml/json": `@startjson
{"a":1,"b":[true,null,{"c":"漢字"}]}
@endjson`,
  "plantuml/mind-map": `@startmindmap
* root
** a <:smile:>
** b <&account-login>
*** c
@endmindmap`,
  "plantuml/sequence": `@startuml
actor 漢字
Alice -> Bob : hello <b>x</b>
Bob --> Alice : & back
note right: a note
@enduml`,
  "plantuml/states": `@startuml
[*] --> A
A --> B : go
state B {
 [*] --> C
}
B --> [*]
@enduml`,
  "railroad/iso": `(* a comment *)
letter = "A" | "B" | 'c"' ;
digit = "0" | "1" | "2" ;
identifier = letter , { letter | digit | "_" } ;
meta identifier = [ "x" , identifier ] , 3 * digit , ( letter - "A" ) , ? any 漢字 ? ;`,
  "railroad/w3c": `/* XML */
[1] document ::= prolog element Misc*
[2] Char ::= #x9 | [#x20-#xD7FF] | [a-zA-Z]
[3] element ::= EmptyElemTag | STag content ETag [ WFC: Element Type Match ]
Comment ::= '<!--' ((Char - '-') | ('-' (Char - '-')))* '-->'
Eq ::= S? '=' S?
Misc ::= Comment+`,
  "statemachinecat/tape-player": `initial, "tape player off",
"tape player on" {
  stopped, playing, paused;
  stopped => playing : play;
  playing => stopped : stop;
  playing => paused  : pause;
},
doing: entry/ make <b> noise
  exit/ silent,
final;
initial => "tape player off";
"tape player off" => "tape player on" : power;
"tape player on" => "tape player off" : power;
"tape player off" => doing: 漢字;
doing => final;`,
  "svgbob/boxes": `.---.
  /-o-/--    .--------.      +------+
  | /  '     |  mill  |----->| race |<--+
  '-'        '--------'      +------+   |
     ^            |     漢字  <b> & "q"  |
     +------------+---------------------+
   *---->  o---  #==  <- - - -`,
  "vega/line": `{"width":200,"height":120,"padding":5,"data":[{"name":"t","values":[{"x":1,"y":3},{"x":2,"y":7},{"x":3,"y":5}]}],
"scales":[{"name":"x","type":"linear","domain":{"data":"t","field":"x"},"range":"width"},{"name":"y","type":"linear","domain":{"data":"t","field":"y"},"range":"height","zero":true}],
"axes":[{"scale":"x","orient":"bottom"},{"scale":"y","orient":"left"}],
"marks":[{"type":"line","from":{"data":"t"},"encode":{"enter":{"x":{"scale":"x","field":"x"},"y":{"scale":"y","field":"y"},"stroke":{"value":"steelblue"}}}},
{"type":"image","encode":{"enter":{"url":{"value":"https://example.com/x.png"},"width":{"value":20},"height":{"value":20}}}},
{"type":"image","encode":{"enter":{"x":{"value":50},"url":{"value":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"},"width":{"value":20},"height":{"value":20}}}}]}`,
  "vegalite/bars": `{"$schema":"https://vega.github.io/schema/vega-lite/v6.json","title":"Gehälter 漢字","data":{"values":[{"a":"A","b":28,"c":"x"},{"a":"B","b":55,"c":"x"},{"a":"C","b":43,"c":"y"},{"a":"D <b>","b":91,"c":"y"}]},"mark":"bar","encoding":{"x":{"field":"a","type":"nominal"},"y":{"field":"b","type":"quantitative"},"color":{"field":"c","type":"nominal"}}}`,
  "wavedrom/logic": `{ assign:[ ["out", ["|", ["&", ["~", "a"], "b"], ["&", ["~", "b"], "a"] ]] ]}`,
  "wavedrom/register": `{reg: [ {bits: 7, name: 'opcode', attr: 'OP-IMM'}, {bits: 5, name: 'rd', attr: 'dest', type: 2}, {bits: 3, name: 'func3', type: 3}, {bits: 5, name: 'rs1'}, {bits: 12, name: 'imm[11:0]', type: 5} ], config: {hspace: 900}}`,
  "wavedrom/signals": `{ signal: [
  { name: "clk",  wave: "p.....|..." },
  { name: "Data", wave: "x.345x|=.x", data: ["head", "body", "tail", "data <b>"] },
  ["group", { name: "Req",  wave: "0.1..0|1.0" }, {}, { name: "Ack",  wave: "1.....|01." }]
], head: { text: "漢字 title", tick: 0 }, edge: ["a~b t1"] }`,
};

export const FORMAT_SOURCES = Object.entries(SOURCES_BY_NAME).map(([name, source]) => {
  const [format = "", kind = ""] = name.split("/");
  return { name, format: format as Format, kind, source };
});
