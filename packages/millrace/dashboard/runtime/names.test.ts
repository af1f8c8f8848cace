// runtimes: node

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import React from "react";
import ReactDom from "react-dom";
import { GIVEN_BY_DASHBOARD } from "../../../../scripts/building/page-modules.js";
import { RUNTIME } from "./names.ts";

const dashboard = join(import.meta.dirname, "..");

test("pages leave outside what the dashboard gives, and nothing else", () => {
  assert.deepEqual([...GIVEN_BY_DASHBOARD].sort(), Object.keys(RUNTIME).sort());
  for (const file of Object.values(RUNTIME)) assert.ok(existsSync(join(dashboard, file)), file);
});

test("React is given whole, but for what is not for use", () => {
  const given = (file: string) => {
    const [, names = ""] = /export \{([^}]*)\}/.exec(readFileSync(join(dashboard, "runtime", file), "utf8")) ?? [];
    return names.split(",").flatMap((name) => name.trim() || []);
  };
  const inside = /^__|^unstable_useCacheRefresh$|^browser$/;
  const publicNames = (module: object) => Object.keys(module).filter((name) => !inside.test(name));
  assert.deepEqual(given("react.ts").sort(), [...publicNames(React), "default"].sort());
  assert.deepEqual(given("react-dom.ts").sort(), [...publicNames(ReactDom), "default"].sort());
});
