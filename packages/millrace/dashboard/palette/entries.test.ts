import assert from "node:assert/strict";
import { test } from "node:test";
import { matching, type PaletteEntry } from "./entries.ts";

const ENTRIES: readonly PaletteEntry[] = [
  { title: "Jobs", sort: "page", to: "/jobs" },
  { title: "Dead letters", sort: "page", to: "/dead-letters" },
  { title: "late mail", sort: "view", to: "/jobs?kind=mail" },
  { title: "mail", sort: "kind", to: "/jobs?kind=mail" },
  { title: "email+", sort: "kind", to: "/jobs?kind=email" },
];

const titles = (typed: string) => matching(ENTRIES, typed).map(({ title }) => title);

test("before anything is typed, pages and saved views are offered", () => {
  assert.deepEqual(titles(" "), ["Jobs", "Dead letters", "late mail"]);
});

test("titles that start with the words come first, those that have them inside last, and a search of jobs is offered", () => {
  assert.deepEqual(titles("mail"), ["mail", "late mail", "email+", "Search jobs for “mail”"]);
  assert.deepEqual(titles("dead"), ["Dead letters", "Search jobs for “dead”"]);
  assert.deepEqual(titles("mail kind"), ["mail", "email+", "Search jobs for “mail kind”"]);
  assert.deepEqual(titles("email+"), ["email+", "Search jobs for “email+”"]);
});

test("the id of a job leads to the job", () => {
  assert.deepEqual(matching(ENTRIES, " job_4fQ81xZa ")[0], {
    title: "Open job_4fQ81xZa",
    sort: "job",
    to: "/jobs/job_4fQ81xZa",
  });
});
