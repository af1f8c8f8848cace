import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkWorkloads } from "./check.ts";
import { defineWorkload, type Workload } from "./workload.ts";

describe("workloads are refused at the start", () => {
  const module = new URL("file:///page.js");
  const page = (name: string, path: string, more: object = {}) =>
    defineWorkload({ name, pages: { module, nav: [{ path, title: name, ...more }] } });
  const refused = (workloads: Workload[], message: RegExp) =>
    assert.throws(() => checkWorkloads(workloads), { code: "workload-invalid", message });

  test("when two claim a page, a kind's parts or a name", () => {
    refused([page("a", "/shop"), page("b", "/shop")], /"b" has the same page "\/shop" as the workload "a"/);
    refused([page("a", "/shop"), page("a", "/other")], /has the same name "a"/);
    const parts = (name: string) => defineWorkload({ name, pages: { module, kinds: { order: {} } } });
    refused([parts("a"), parts("b")], /"b" has the same part for the kind "order"/);
    assert.doesNotThrow(() => checkWorkloads([page("a", "/shop"), page("b", "/shop/orders")]));
  });

  test("when a page has an address of the dashboard, or none", () => {
    refused([page("a", "/jobs")], /has the page "\/jobs", which belongs to the dashboard/);
    refused([page("a", "/settings/mine")], /which belongs to the dashboard/);
    for (const path of ["", "/", "shop", "/Shop", "/a/../b", "/shop/"]) refused([page("a", path)], /invalid path/);
  });

  test("when a scope is not declared, or not under the workload's name", () => {
    refused([page("a", "/shop", { scope: "a:write" })], /uses the unknown scope "a:write" for the page/);
    refused(
      [defineWorkload({ name: "a", scopes: { "b:write": "write" } })],
      /invalid scope "b:write". Write it as "a:write"/,
    );
    refused([defineWorkload({ name: "a", scopes: { "a:Write": "write" } })], /invalid scope/);
  });

  test("when its module is not a file", () => {
    const at = (url: unknown) => defineWorkload({ name: "a", pages: { module: url as URL } });
    for (const url of ["./page.js", undefined, new URL("https://example.com/page.js")])
      refused([at(url)], /needs a file URL for pages\.module/);
  });
});
