// runtimes: node
// time-limit: 300 s
// Playwright drives a browser from Node alone; the server runs as `npm start` does, on Bun.
// Jobs that belong together: batches, parents and children, flows, and what a job sleeps and waits for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../support/until.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer();
const browser = await openBrowser();
const at = (path: string) => `${server.url}${path}`;
const { client } = server;
const picture = (payload: string) => ({ kind: "thumbnail", payload });

test("the page of batches says what a batch is while there is none, and links to its routes", async (t) => {
  const page = await openPage(t, browser, at("/ui/"));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Batches" }).click();
  await page.getByText("No batch yet.").waitFor();
  await page.getByRole("link", { name: "Batches over HTTP" }).click();
  await page.getByText("Open a batch.").first().waitFor();
  assert.equal(page.url(), at("/docs#post-batches"));
});

test("a batch is watched, sealed, and its failed jobs are retried", async (t) => {
  const { id } = await client.createBatch({ onEnd: { kind: "quick", payload: "all done" } });
  const page = await openPage(t, browser, at("/ui/batches"));
  const row = page.getByRole("row").filter({ hasText: id });
  await row.getByText("open", { exact: true }).waitFor();
  await row.getByText("no jobs").waitFor();
  const [, bad = "", slow = ""] = await client.addToBatch(id, ["a", "bad", "slow"].map(picture));
  await row.getByText("1 completed").waitFor();
  await row.getByText("1 failed").waitFor();
  await row.getByRole("link", { name: id }).click();

  await page.getByRole("heading", { name: id, level: 1 }).waitFor();
  await page.getByText("2 of 3 jobs ended").waitFor();
  await page.getByRole("button", { name: "Seal…" }).click();
  await page.getByRole("button", { name: "Seal the batch" }).click();
  await page.getByText("sealed", { exact: true }).waitFor();
  await page.getByText("a job of the kind quick is submitted").waitFor();
  await client.signal(slow, "drawn", null);
  await page.getByText("3 of 3 jobs ended").waitFor();
  const callback = page.getByRole("region", { name: "Facts" }).getByRole("link", { name: /^job_/ });
  await callback.waitFor();
  assert.equal(await callback.innerText(), (await client.batch(id)).callback);

  await page.getByRole("link", { name: "1 failed" }).click();
  await page.getByRole("link", { name: bad }).waitFor();
  const address = new URL(page.url());
  assert.deepEqual([address.searchParams.get("batch"), address.searchParams.get("status")], [id, "failed"]);
  await page.goBack();
  await page.getByRole("button", { name: "Retry failed…" }).click();
  await page.getByRole("button", { name: "Retry failed", exact: true }).click();
  await page.getByText("1 job revived.").waitFor();

  await page.goto(at("/ui/settings?part=audit"));
  for (const what of ["batch sealed", "of a batch revived"])
    await page.getByRole("row").filter({ hasText: what }).getByRole("link", { name: id }).waitFor();
});

test("a batch is cancelled, and the address of an unknown one says so", async (t) => {
  const { id } = await client.createBatch();
  await client.addToBatch(id, [picture("slow")]);
  const page = await openPage(t, browser, at(`/ui/batches/${id}`));
  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByRole("button", { name: "Cancel the batch" }).click();
  await page.getByText("1 cancelled").waitFor();
  await page.getByText("cancelled", { exact: true }).first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Cancel…" }).count(), 0);
  await page.goto(at("/ui/batches/batch_unknown1"));
  await page.getByText("Batch not found.").waitFor();
});

test("the page of a job shows its batch with the progress", async (t) => {
  const { id } = await client.createBatch();
  const [job = "", other = ""] = await client.addToBatch(id, ["slow a", "slow b"].map(picture));
  const page = await openPage(t, browser, at(`/ui/jobs/${job}`));
  const related = page.getByRole("region", { name: "Related jobs" });
  await related.getByText("0 of 2 jobs ended").waitFor();
  await client.signal(other, "drawn", null);
  await related.getByText("1 of 2 jobs ended").waitFor();
  await related.getByRole("link", { name: id }).click();
  await page.getByRole("heading", { name: id, level: 1 }).waitFor();
});

test("a parent shows its tree and its children by state, and both follow what happens", async (t) => {
  const { jobId } = await client.submit("album", { pictures: ["a.png", "bad.png", "slow.png"] });
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  const tree = page.getByRole("region", { name: "Tree" });
  await tree.getByRole("link", { name: "thumbnail failed bad.png" }).waitFor();
  const slow = tree.getByRole("link", { name: /thumbnail \w+ slow\.png/ });
  await tree.getByRole("link", { name: "thumbnail pending slow.png" }).waitFor();
  const related = page.getByRole("region", { name: "Related jobs" });
  await related.getByText("1 not ended").waitFor();
  await page
    .getByRole("region", { name: "Timeline" })
    .getByText(/^slept .*: settle$/)
    .waitFor({ state: "attached" });
  await page
    .getByRole("region", { name: "Timeline" })
    .getByText(/^waiting .* for children thumbnails$/)
    .waitFor({ state: "attached" });

  await slow.click();
  await page.getByRole("region", { name: "Related jobs" }).getByRole("link", { name: jobId }).waitFor();
  const child = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await client.signal(child, "drawn", null);
  await page.getByRole("region", { name: "Related jobs" }).getByRole("link", { name: jobId }).click();
  await tree.getByRole("link", { name: "thumbnail completed slow.png" }).waitFor();
  await related.getByText("2 completed").waitFor();
  await related.getByRole("link", { name: "4 jobs" }).click();
  await page.getByText("4 jobs").first().waitFor();
  assert.equal(new URL(page.url()).searchParams.get("parent"), jobId);
});

test("above 200 jobs the tree shows the children of a call by state", { timeout: 120_000 }, async (t) => {
  const pictures = Array.from({ length: 230 }, (_, n) => (n < 3 ? `bad ${n}` : `p${n}`));
  const { jobId } = await client.submit("album", { pictures });
  await client.wait(jobId);
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  const group = page.getByRole("region", { name: "Tree" }).getByRole("link", { name: /^thumbnails/ });
  await group.getByText("227 completed").waitFor();
  await group.getByText("3 failed").waitFor();
  await group.click();
  assert.equal(new URL(page.url()).searchParams.get("parent"), jobId);
});

test("a flow is drawn in the order in which its jobs run", async (t) => {
  const flow = await client.submitFlow([
    { name: "extract", job: { kind: "quick", payload: 1 } },
    { name: "enrich", after: ["extract"], job: picture("slow") },
    { name: "load", after: ["enrich"], job: { kind: "quick", payload: 1 } },
  ]);
  await until("extract has ended", async () => (await client.get(flow["extract"] as string)).state === "completed");
  const page = await openPage(t, browser, at(`/ui/jobs/${flow["load"]}`));
  const drawn = page.getByRole("region", { name: "Flow" });
  const leftOf = async (name: string) => (await drawn.getByRole("link", { name }).boundingBox())?.x ?? -1;
  await drawn.getByRole("link", { name: "quick completed extract" }).waitFor();
  const places = [await leftOf("extract"), await leftOf("enrich"), await leftOf(flow["load"] as string)];
  assert.deepEqual(
    places.toSorted((a, b) => a - b),
    places,
  );
  await page.getByRole("region", { name: "Waits" }).getByText("jobs before it").waitFor();
});
