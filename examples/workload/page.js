// The page of the workload in the dashboard, as the browser runs it: no build. `react` and the other names are given by the
// dashboard, so the page has its React, its look and its session.

import { ask } from "millrace/client";
import {
  Button,
  clientFor,
  definePages,
  Input,
  Link,
  Loaded,
  Page,
  Panel,
  Table,
  useAct,
  useLiveEvent,
  useLiveQuery,
} from "millrace/dashboard";
import { createElement as h, useState } from "react";

/** The routes of the workload, as calls of the client. */
const greetings = (connection) => ({
  list: async (options) => (await ask(connection, "GET /greetings", options)).greetings,
  greet: (name) => ask(connection, "POST /greetings", { body: { name } }),
});

function GreetingsPage() {
  const [last, setLast] = useState();
  useLiveEvent("greetings.greeted", ({ name }) => setLast(name));
  const found = useLiveQuery({
    key: ["greetings"],
    load: (client, signal) => client.with(greetings).list({ signal }),
    // A greeting has its text when its job is done.
    concerns: (moves) => moves === undefined || [...moves.values()].some(({ kind }) => kind === "greeting"),
    events: ["greetings.greeted"],
  });
  return h(
    Page,
    {
      title: "Greetings",
      about: last === undefined ? "New greetings appear by themselves." : `Last greeted: ${last}.`,
    },
    h(GreetForm),
    h(Panel, { title: "Greeted" }, h(Loaded, { query: found, children: (rows) => h(Greeted, { rows }) })),
  );
}

function GreetForm() {
  const [name, setName] = useState("");
  const greet = useAct({
    // An administrator reads across tenants; what is submitted belongs to one.
    run: () => clientFor().with(greetings).greet(name),
    done: () => `${name} will be greeted.`,
    after: () => setName(""),
  });
  const submit = (event) => {
    event.preventDefault();
    greet.mutate();
  };
  return h(
    Panel,
    { title: "Greet somebody" },
    h(
      "form",
      { className: "panel-body stack", onSubmit: submit },
      h(Input, { label: "Name", required: true, value: name, onChange: (event) => setName(event.target.value) }),
      h("div", null, h(Button, { look: "primary", submits: true, busy: greet.isPending }, "Greet")),
    ),
  );
}

const COLUMNS = [
  { title: "Name", value: ({ name }) => name },
  { title: "Greeting", wide: true, value: ({ text }) => text ?? "on its way" },
  { title: "Job", quiet: true, value: ({ jobId }) => h(Link, { to: `/jobs/${jobId}` }, jobId) },
];

function Greeted({ rows }) {
  if (rows.length === 0) return h("p", { className: "panel-body dim" }, "No greeting yet.");
  return h(Table, { columns: COLUMNS, rows, keyOf: ({ jobId }) => jobId });
}

export default definePages({ pages: { "/greetings": GreetingsPage } });
