// runtimes: node
// time-limit: 300 s
// Playwright drives a browser from Node alone; the server runs as `npm start` does, on Bun.
// What people come for: submit and watch, see a failure and mend it, find jobs and act on many, all by keyboard too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer();
const browser = await openBrowser();
const at = (path: string) => `${server.url}${path}`;

test("the address of the server leads to the dashboard", async (t) => {
  const page = await openPage(t, browser, at("/"));
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/ui/");
  await page.getByText("Nothing needs attention.").waitFor();
});

test("the page of deployments lists the server's own, which is idle while no job runs", async (t) => {
  const page = await openPage(t, browser, at("/ui/"));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Deployments" }).click();
  const [own] = await server.client.deployments();
  const row = page.getByRole("row").filter({ hasText: own?.label ?? "no deployment" });
  await row.getByText("order reserve → charge → ship").waitFor();
  const { jobId } = await server.client.submit("waits", 1);
  await row.getByText("working", { exact: true }).waitFor();
  await server.client.cancel(jobId);
  await row.getByText("idle", { exact: true }).waitFor();
});

test("the address of a job that does not exist says so and how long jobs are kept; a slash at the end is no matter", async (t) => {
  const page = await openPage(t, browser, at("/ui/jobs/unknown/"));
  await page.getByText(/^Job not found\. Finished jobs are deleted after .*7 days/).waitFor();
  await page.goto(at("/ui/dead-letters/"));
  await page.getByRole("heading", { name: "Dead letters", level: 1 }).waitFor();
  await page.getByText(/deleted after 30 days/).waitFor();
});

test("a job is submitted, watched and looked at", async (t) => {
  const page = await openPage(t, browser, at("/ui/submit"));
  await page.getByRole("button", { name: "Succeeds" }).click();
  const submitted = page.getByRole("region", { name: "Submitted here" });
  await submitted.getByText("running", { exact: true }).waitFor();
  await submitted.getByText("completed", { exact: true }).waitFor();
  await submitted.getByRole("link").click();
  await page.getByRole("region", { name: "Result" }).last().getByText('"upperCase": "HI"').waitFor();
  await page
    .getByRole("region", { name: "Timeline" })
    .getByText(/attempt 1, completed after/)
    .waitFor({ state: "attached" });
  await page.getByRole("log").getByText("text processed").waitFor();
});

test("progress and log of a running job follow, and it can be cancelled with a reason", async (t) => {
  const { jobId } = await server.client.submit("waits", 1);
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  await page.getByText("40 %, page 4 of 10").waitFor();
  await page.getByRole("log").getByText("begun").waitFor();
  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByLabel("Reason").fill("not needed");
  await page.getByRole("button", { name: "Cancel the job" }).click();
  await page.getByText("cancelled", { exact: true }).first().waitFor();
  assert.equal((await server.client.get(jobId)).state, "cancelled");
});

test("a failing job goes through its retries to the dead letters and is mended and revived", async (t) => {
  const page = await openPage(t, browser, at("/ui/submit"));
  await page.getByRole("button", { name: "Forbidden", exact: true }).click();
  const submitted = page.getByRole("region", { name: "Submitted here" });
  await submitted.getByText("failed", { exact: true }).waitFor();
  const nav = page.getByRole("navigation", { name: "Pages" });
  await nav.getByText("1 dead letters").waitFor();
  await nav.getByRole("link", { name: /Dead letters/ }).click();
  const group = page.getByRole("listitem").filter({ hasText: 'Text contains "forbidden"' });
  await group.getByText("text/running").waitFor();
  await group.getByRole("button", { name: "Show it" }).click();
  await group.getByRole("link", { name: /^job_/ }).click();
  await page.getByRole("region", { name: "Attempts" }).getByText("running, attempt 3").waitFor();
  assert.equal(await page.getByRole("region", { name: "Attempts" }).getByText("Stack").count(), 3);
  await page.getByRole("button", { name: "Revive…" }).click();
  await page.getByLabel("Edit the payload first").check();
  await page.getByRole("textbox", { name: "Payload" }).fill('{"text": ');
  await page.getByText(/^Not JSON/).waitFor();
  assert.ok(await page.getByRole("button", { name: "Revive", exact: true }).isDisabled());
  await page.getByRole("textbox", { name: "Payload" }).fill('{"text": "ok"}');
  await page.getByRole("button", { name: "Revive", exact: true }).click();
  await page.getByText(/Revived from/).waitFor();
  await page.getByText('"upperCase": "OK"').waitFor();
  await nav.getByText("1 dead letters").waitFor({ state: "detached" });
});

test("an operator changes the payload, priority and tags of a job that waits", async (t) => {
  const { jobId } = await server.client.submit("quick", { n: 1 }, { delayMs: 3_600_000 });
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  await page.getByRole("button", { name: "Change…" }).click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Change", exact: true });
  assert.ok(await save.isDisabled(), "nothing has changed yet");
  await dialog.getByLabel("Payload").fill('{"n": ');
  await dialog.getByText(/^Not JSON/).waitFor();
  assert.ok(await save.isDisabled());
  await dialog.getByLabel("Payload").fill('{"n": 2}');
  await dialog.getByLabel("Priority").fill("-5");
  await dialog.getByLabel("Tags").fill("mended, web");
  await save.click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText(`${jobId} is changed.`).waitFor();
  const { payload, priority, tags } = await server.client.get(jobId);
  assert.deepEqual({ payload, priority, tags }, { payload: { n: 2 }, priority: -5, tags: ["mended", "web"] });
  await server.client.cancel(jobId);
});

test("dead letters of one cause are counted, revived at a rate, and discarded", async (t) => {
  const payloads = [1, 2, 3].map((orderId) => ({ kind: "order", payload: { customer: "carol", orderId } }));
  const jobs = await server.client.submitMany(payloads);
  await Promise.all(jobs.map((job) => server.client.wait(job)));
  const page = await openPage(t, browser, at("/ui/dead-letters"));
  const group = page.getByRole("listitem").filter({ hasText: "Card was declined." });
  await group.getByRole("button", { name: "Revive 3…" }).click();
  await page.getByRole("heading", { name: "Revive 3 dead letters?" }).waitFor();
  await page.getByLabel("At most per second").fill("50");
  await page.getByText("The last one starts after 60 ms.").waitFor();
  await page.getByRole("button", { name: "Revive 3", exact: true }).click();
  await page.getByText("3 jobs revived.").waitFor();
  // They fail again, since nothing was mended: all three, before they are counted.
  const revived = await Promise.all(jobs.map((job) => server.client.get(job)));
  await Promise.all(revived.map(({ retriedAs }) => server.client.wait(retriedAs as string)));
  await group.getByRole("button", { name: "Discard…" }).click();
  await page.getByRole("button", { name: "Discard 3", exact: true }).click();
  await page.getByText("3 jobs deleted.").waitFor();
  assert.equal((await server.client.deadLetters.list({ kind: "order" })).total, 0);
});

test("a filter is in the address, and whoever opens it sees the same", async (t) => {
  const tagged = (n: number) => ({ kind: "quick", payload: { n }, tags: ["shared"] });
  const jobs = await server.client.submitMany([tagged(1), tagged(2), { kind: "quick", payload: { n: 3 } }]);
  await Promise.all(jobs.map((job) => server.client.wait(job)));
  const page = await openPage(t, browser, at("/ui/jobs"));
  await page.getByRole("combobox", { name: "Status" }).selectOption("completed");
  await page.getByRole("textbox", { name: "Tag" }).fill("shared");
  await page.getByText("2 jobs", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Time" }).selectOption("1h");
  await page.waitForURL(/last=1h/);
  const other = await openPage(t, browser, page.url());
  await other.getByText("2 jobs", { exact: true }).waitFor();
  assert.equal(await other.getByRole("textbox", { name: "Tag" }).inputValue(), "shared");
  assert.deepEqual(await other.getByRole("link", { name: /^job_/ }).allTextContents(), [
    jobs[1]?.jobId,
    jobs[0]?.jobId,
  ]);
  await other.getByRole("searchbox", { name: "Search" }).fill('"n":1');
  await other.getByText("1 job", { exact: true }).waitFor();
  await other.getByRole("button", { name: "Clear" }).click();
  assert.equal(new URL(other.url()).search, "");
});

test("many jobs are cancelled and retried, with the count shown first", async (t) => {
  const later = { kind: "quick", payload: 1, delayMs: 3_600_000, tags: ["bulk"] };
  await server.client.submitMany([later, later, later, later]);
  const page = await openPage(t, browser, at("/ui/jobs?tag=bulk"));
  await page.getByText("4 jobs", { exact: true }).waitFor();
  await page
    .getByRole("checkbox", { name: /Select job_/ })
    .first()
    .check();
  await page.getByRole("button", { name: "Cancel selected…" }).click();
  await page.getByRole("button", { name: "Cancel 1 job" }).click();
  await page.getByText("1 job cancelled.").waitFor();
  await page.getByRole("button", { name: "Cancel all matching…" }).click();
  await page.getByText("3 are pending or running and will be cancelled.", { exact: false }).waitFor();
  await page.getByText("The filter: tag bulk.").waitFor();
  await page.getByRole("button", { name: "Cancel 3 jobs" }).click();
  await page.getByText("3 jobs cancelled.").waitFor();
  await page.getByRole("table", { name: "Jobs" }).getByText("cancelled", { exact: true }).nth(3).waitFor();
  await page.getByRole("button", { name: "Retry all matching…" }).click();
  await page.getByRole("button", { name: "Retry 4 jobs" }).click();
  await page.getByText("4 jobs retried.").waitFor();
  await page.mouse.move(0, 0);
  await page.getByText("8 jobs", { exact: true }).waitFor();
});

test("a form is made from the kind's schema, and says which part is wrong", async (t) => {
  const page = await openPage(t, browser, at("/ui/submit?kind=email"));
  await page.getByLabel("to", { exact: true }).fill("nobody");
  await page.getByLabel("format (optional)").selectOption("text");
  await page.getByText("More: delay").click();
  await page.getByLabel("Tags").fill("a, b");
  await page.getByLabel("Delay").fill("2h");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await page
    .locator("input[aria-invalid=true]")
    .and(page.getByLabel("to", { exact: true }))
    .waitFor();
  await page.getByLabel("to", { exact: true }).fill("alice@example.org");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  const link = page.getByRole("region", { name: "Submitted here" }).getByRole("link");
  const job = await server.client.get((await link.textContent()) ?? "");
  assert.deepEqual(job.payload, { to: "alice@example.org", format: "text" });
  assert.deepEqual(job.tags, ["a", "b"]);
  assert.ok(Date.parse(job.runAt) - Date.parse(job.createdAt) === 7_200_000);
});

test("the form of render has the options of the chosen format; what was submitted is in the audit list", async (t) => {
  const page = await openPage(t, browser, at("/ui/submit?kind=render"));
  await page.getByLabel("format", { exact: true }).selectOption("graphviz");
  await page.getByLabel("source", { exact: true }).fill("digraph { form }");
  await page.getByText("options (optional)").click();
  await page.getByLabel("layout", { exact: true }).selectOption("circo");
  await page.getByLabel("scale", { exact: true }).fill("9");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  assert.ok(
    await page.getByLabel("scale", { exact: true }).evaluate((input: HTMLInputElement) => !input.validity.valid),
  );
  await page.getByLabel("scale", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  const link = page.getByRole("region", { name: "Submitted here" }).getByRole("link");
  const jobId = (await link.textContent()) ?? "";
  const { payload } = await server.client.get(jobId);
  const asked = { format: "graphviz", source: "digraph { form }", outputType: "svg" };
  assert.deepEqual(payload, { ...asked, options: { layout: "circo", scale: 2 } });
  await page.goto(at("/ui/settings?part=audit"));
  const written = page.getByRole("row").filter({ hasText: jobId });
  await written.getByText("job submitted").waitFor();
});

test("a held job is released; a kind is paused and resumed; both are in the audit list", async (t) => {
  const { jobId } = await server.client.submit("order", { customer: "dave" });
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  await page.getByText("Held: address needs review.", { exact: false }).waitFor();
  await page.getByRole("region", { name: "Steps" }).getByText("reserve stock").waitFor();
  await page.getByRole("button", { name: "Release…" }).click();
  await page.getByRole("dialog").getByLabel("Answer").fill('{"approved": true}');
  await page.getByRole("dialog").getByRole("button", { name: "Release", exact: true }).click();
  await page.getByText(`${jobId} is released.`, { exact: true }).waitFor();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Pools" }).click();
  await page.getByRole("button", { name: "Pause quick" }).click();
  await page.getByRole("region", { name: "Kind quick" }).getByText("paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Resume quick" }).click();
  await page.getByRole("button", { name: "Pause quick" }).waitFor();
  await page.goto(at("/ui/settings?part=audit"));
  for (const what of ["job released", "kind paused", "kind resumed"])
    await page.getByRole("cell", { name: what }).first().waitFor();
});

test("an approval is decided in the inbox, a signal is sent by a form, and both stand with the job and in the audit list", async (t) => {
  const { jobId } = await server.client.submit("shipment", { id: 41 });
  const page = await openPage(t, browser, at("/ui/"));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Approvals" }).click();
  const approval = page.getByRole("region", { name: "Ship order 41?" });
  await approval.getByLabel("Comment").fill("Checked the address.");
  await approval.getByRole("button", { name: "yes" }).click();
  await page.getByText("Decided: yes.").waitFor();
  await page.goto(at(`/ui/jobs/${jobId}`));
  await page.getByRole("region", { name: "Waits" }).getByText("signal paid").waitFor();
  await page.getByRole("button", { name: "Send a signal…" }).click();
  await page.getByLabel("Value").fill('{ "amount": 10 }');
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const done = await server.client.wait(jobId);
  assert.deepEqual(done.result, { choice: "yes", paid: { amount: 10 } });
  await page.getByRole("region", { name: "Signals" }).getByText("taken").waitFor();
  const what = (await server.client.audit({ limit: 20 }))
    .filter(({ target }) => target === jobId)
    .map((entry) => entry.what);
  assert.deepEqual(what, ['signal "paid" sent', 'approval "ship" decided: yes']);
});

test("schedules are made, paused and removed", async (t) => {
  const page = await openPage(t, browser, at("/ui/schedules"));
  await page.getByRole("button", { name: "New schedule…" }).click();
  await page.getByLabel("Name").fill("weekly");
  await page.getByLabel("Cron").fill("not a rule");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("quick");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.getByLabel("Cron").fill("30 6 * * 1");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("weekly is saved.").waitFor();
  await page.getByRole("button", { name: "Pause weekly" }).click();
  await page.getByRole("button", { name: "Resume weekly" }).waitFor();
  await page.getByRole("button", { name: "Delete weekly" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No schedule yet.").waitFor();
});

test("by keyboard alone: to the jobs, down the list, into one, and a dialog that gives the focus back", async (t) => {
  const { jobId } = await server.client.submit("waits", 2, { tags: ["keyboard"] });
  await server.client.submit("waits", 3, { tags: ["keyboard"] });
  const page = await openPage(t, browser, at("/ui/?"));
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Skip to content");
  for (let i = 0; (await focused(page)) !== "Jobs"; i++) {
    assert.ok(i < 20, "the link to the jobs is reached by Tab");
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  const tag = page.getByRole("textbox", { name: "Tag" });
  for (let i = 0; !(await tag.evaluate((element) => element === document.activeElement)); i++) {
    assert.ok(i < 20, "the filter is reached by Tab");
    await page.keyboard.press("Tab");
  }
  await page.keyboard.type("keyboard");
  await page.getByText("2 jobs", { exact: true }).waitFor();
  for (let i = 0; (await focused(page, "aria-label")) !== "Rows"; i++) {
    assert.ok(i < 20, "the rows are reached by Tab");
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(page), jobId);
  await page.keyboard.press("Space");
  await page.getByText("1 selected").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: jobId, level: 1 }).waitFor();
  await page.getByRole("button", { name: "Cancel…" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(await focused(page), "Cancel…");
});

function focused(page: Awaited<ReturnType<typeof openPage>>, attribute?: string): Promise<string | null> {
  return page.evaluate((name) => {
    const element = document.activeElement;
    return (name ? element?.getAttribute(name) : element?.textContent) ?? null;
  }, attribute);
}
