import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { poolNameProblems, poolOverride } from "./config/pools.ts";
import { envExample, printConfig } from "./config/print.ts";
import { SETTINGS } from "./config/settings.ts";
import {
  type Config,
  type Environment,
  type LoadOptions,
  loadConfig,
  readEnvironment,
  settingGroups,
} from "./config.ts";

describe("defaults", () => {
  test("an empty environment gives the embedded defaults", () => {
    const config = load({}, { cores: 6 });
    assert.deepEqual(
      { port: config.port, host: config.host, jobDbPath: config.jobDbPath, leaseMs: config.leaseMs },
      { port: 3000, host: "127.0.0.1", jobDbPath: "./data/jobs.db", leaseMs: 15_000 },
    );
    assert.deepEqual(
      { pollMs: config.pollMs, queueMax: config.queueMax, maxAttempts: config.maxAttempts },
      { pollMs: 100, queueMax: 1000, maxAttempts: 3 },
    );
    assert.equal(config.cacheMaxBytes, 1_073_741_824);
    assert.equal(config.cacheTtlMs, 2_592_000_000);
    assert.deepEqual(
      { finished: config.jobRetentionMs, failed: config.dlqRetentionMs, most: config.jobKeepMax },
      { finished: 7 * 86_400_000, failed: 30 * 86_400_000, most: 1_000_000 },
    );
    assert.equal(config.apiKey, undefined);
    assert.equal(config.maxNewJobsPerMinute, 0, "no tenant is limited by accident");
  });

  test("the config is frozen, with everything in it", () => {
    const config = load({ POOL_RENDERING_PACE: "3/5s", CORS_ORIGINS: "*" });
    for (const part of [config, config.pools, config.pools["RENDERING"], config.corsOrigins]) {
      assert.ok(Object.isFrozen(part));
    }
  });

  test("the poll is slower on PostgreSQL, unless it is set", () => {
    assert.equal(load({ DATABASE_URL: "postgres://host/jobs" }).pollMs, 750);
    assert.equal(load({ DATABASE_URL: "postgres://host/jobs", POLL_MS: "20" }).pollMs, 20);
  });

  test("the first name of a setting wins over its alias", () => {
    assert.equal(load({ POLL_MS: "20" }).pollMs, 20);
    assert.equal(load({ POLL_MS: "20", JOB_POLL_INTERVAL_MS: "30" }).pollMs, 30);
  });

  test("logs are for people on a terminal and for machines elsewhere", () => {
    assert.equal(load({}, { terminal: true }).logFormat, "pretty");
    assert.equal(load({}, { terminal: false }).logFormat, "json");
    assert.equal(load({ LOG_FORMAT: "json" }, { terminal: true }).logFormat, "json");
  });

  test("a setting that is empty counts as not set", () => {
    assert.equal(load({ PORT: "", API_KEY: " " }).port, 3000);
  });
});

describe("problems", () => {
  test("all of them are listed at once, with the allowed values", () => {
    const found = problems({ PORT: "70000", DURABILITY: "some", ALLOW_ANONYMOUS: "maybe", POOL_RENDERING_SIZE: "0" });
    assert.deepEqual(found, [
      'PORT is "70000". Allowed: a whole number from 0 to 65535.',
      'ALLOW_ANONYMOUS is "maybe". Allowed: true or false.',
      'DURABILITY is "some". Allowed: full or normal.',
      'POOL_RENDERING_SIZE is "0". Allowed: a whole number from 1 to 10000.',
    ]);
  });

  test("numbers are whole, decimal and in range", () => {
    for (const text of ["-1", "1.5", "1e3", "0x10", "ten", "1 000", "99999999999999999999"]) {
      assert.equal(problems({ QUEUE_MAX: text }).length, 1, text);
    }
  });

  test("a pause longer than a timer can wait is refused", () => {
    assert.equal(problems({ SHUTDOWN_GRACE_MS: "2147483648" }).length, 1);
    assert.equal(load({ JOB_RETENTION_MS: "2147483648" }).jobRetentionMs, 2_147_483_648);
  });

  test("DATABASE_URL and JOB_DB_PATH together ask to choose", () => {
    assert.match(problems({ DATABASE_URL: "postgres://host/jobs", JOB_DB_PATH: "a.db" })[0] ?? "", /both set/);
  });

  test("a secret that is wrong is not repeated", () => {
    const found = problems({ API_KEY: "two words", DATABASE_URL: "mysql://root:hunter2@host" }).join();
    assert.doesNotMatch(found, /two words|hunter2/);
    assert.match(found, /API_KEY is not valid.*DATABASE_URL is not valid/);
  });

  test("origins are whole origins", () => {
    assert.deepEqual(load({ CORS_ORIGINS: "https://a.example, http://localhost:5173" }).corsOrigins, [
      "https://a.example",
      "http://localhost:5173",
    ]);
    assert.equal(problems({ CORS_ORIGINS: "https://a.example/path" }).length, 1);
  });
});

describe("listening beyond loopback", () => {
  const listens = { listens: true };

  test("needs a key, or the word that none is wanted", () => {
    assert.match(problems({ HOST: "0.0.0.0" }, listens)[0] ?? "", /API_KEY/);
    assert.equal(load({ HOST: "0.0.0.0", API_KEY: "k" }, listens).host, "0.0.0.0");
    assert.equal(load({ HOST: "::", ALLOW_ANONYMOUS: "true" }, listens).allowAnonymous, true);
  });

  test("is no matter for an engine that opens no port", () => {
    assert.equal(load({ HOST: "0.0.0.0" }).host, "0.0.0.0");
  });

  test("loopback has several names", () => {
    for (const host of ["localhost", "::1", "127.0.0.1", "127.1.2.3"]) load({ HOST: host }, listens);
    for (const host of ["127.0.0.1.example.com", "0.0.0.0", "::", "10.0.0.1"]) {
      assert.equal(problems({ HOST: host }, listens).length, 1, host);
    }
  });
});

describe("pools", () => {
  const kinds = [
    { name: "audit", stages: ["page-analysis", "prompts"] },
    { name: "shop", stages: ["prompts"] },
    { name: "thumbnail", stages: ["fetchPage"] },
  ];

  test("are read by stage, or by kind and stage, which wins", () => {
    const { pools } = load({
      POOL_PAGE_ANALYSIS_SIZE: "2",
      POOL_PAGE_ANALYSIS_TIMEOUT_MS: "500",
      POOL_AUDIT_PAGE_ANALYSIS_SIZE: "7",
      POOL_FETCH_PAGE_PACE: "3/5s",
    });
    assert.deepEqual(poolOverride(pools, "audit", "page-analysis"), { size: 7, timeoutMs: 500 });
    assert.deepEqual(poolOverride(pools, "thumbnail", "fetchPage"), { pace: { count: 3, perMs: 5000 } });
    assert.deepEqual(poolOverride(pools, "audit", "prompts"), {});
  });

  test("a pace is a count per period", () => {
    assert.deepEqual(load({ POOL_A_PACE: "10/m" }).pools["A"]?.pace, { count: 10, perMs: 60_000 });
    for (const text of ["3", "0/5s", "3/0s", "3/5", "3/5d", "/5s"])
      assert.equal(problems({ POOL_A_PACE: text }).length, 1, text);
  });

  test("a variable that names no stage, or the stage of two kinds, is reported", () => {
    const { pools } = load({ POOL_RENDERNG_SIZE: "2", POOL_PROMPTS_SIZE: "2", POOL_SHOP_PROMPTS_SIZE: "2" });
    assert.deepEqual(poolNameProblems(pools, kinds), [
      "POOL_RENDERNG_… matches no stage. Known: POOL_PAGE_ANALYSIS_…, POOL_PROMPTS_…, POOL_FETCH_PAGE_….",
      "POOL_PROMPTS_… matches stages of several kinds. Write POOL_AUDIT_PROMPTS_… or POOL_SHOP_PROMPTS_….",
    ]);
  });
});

test("a misspelt setting is a warning, other people's variables are none", () => {
  const loaded = loadConfig({
    WORKER_CONCURENCY: "5",
    POOL_RENDERING_SISE: "5",
    PATH: "/bin",
    HOSTNAME: "a",
    npm_config_x: "",
  });
  assert.ok(loaded.ok);
  assert.deepEqual(loaded.warnings, [
    "WORKER_CONCURENCY is not a setting. Did you mean WORKER_CONCURRENCY?",
    "POOL_RENDERING_SISE is not a setting. Did you mean POOL_<STAGE>_SIZE, POOL_<STAGE>_TIMEOUT_MS or POOL_<STAGE>_PACE?",
  ]);
});

describe("printing", () => {
  test("what is printed loads again to the same config", () => {
    const config = load({
      LEASE_TIMEOUT_SEC: "20",
      POOL_A_PACE: "3/5s",
      CORS_ORIGINS: "https://a.example,https://b.example",
    });
    const printed = Object.fromEntries(
      printConfig(config)
        .split("\n")
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    assert.deepEqual(load(printed), config);
  });

  test("secrets are masked", () => {
    const printed = printConfig(
      load({ API_KEY: "topsecret", DATABASE_URL: "postgres://me:hunter2@host/jobs?password=x" }),
    );
    assert.doesNotMatch(printed, /topsecret|hunter2|password|me:/);
    assert.match(printed, /^API_KEY=\*+$/m);
    assert.match(printed, /^DATABASE_URL=postgres:\/\/\*+@host\/jobs$/m);
    assert.doesNotMatch(printed, /JOB_DB_PATH/);
  });
});

test(".env.example shows every setting, as the table describes it", () => {
  const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
  assert.equal(example, envExample(settingGroups([])), "run `node scripts/env-example.js`");
  for (const { name } of Object.values(SETTINGS)) assert.match(example, new RegExp(`^#${name}=`, "m"));
});

test(".env.example copied to .env changes nothing, nor does any line of it without its #", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
  const loaded = () => loadConfig(readEnvironment(folder), { listens: true, terminal: false, cores: 2 });
  const none = loaded();
  assert.ok(none.ok);
  writeFileSync(join(folder, ".env"), example);
  assert.deepEqual(loaded(), none);
  // The lines of pools are examples: their defaults are in the code.
  const uncommented = example.replaceAll(/^#(?!POOL_)(?=[A-Z_]+=)/gm, "");
  assert.match(uncommented, /^JOB_RETENTION_MS=604800000$/m);
  writeFileSync(join(folder, ".env"), uncommented);
  assert.deepEqual(loaded(), none);
});

test("the environment wins over .env, and a missing .env is fine", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.equal(readEnvironment(folder)["PATH"], process.env["PATH"]);
  writeFileSync(join(folder, ".env"), 'PATH=lost\nQUEUE_MAX="7"  # few\n');
  assert.equal(readEnvironment(folder)["PATH"], process.env["PATH"]);
  assert.equal(readEnvironment(folder)["QUEUE_MAX"], "7");
});

function load(env: Environment, options?: LoadOptions): Config {
  const loaded = loadConfig(env, options);
  assert.ok(loaded.ok, loaded.ok ? "" : loaded.problems.join("\n"));
  return loaded.config;
}

function problems(env: Environment, options?: LoadOptions): readonly string[] {
  const loaded = loadConfig(env, options);
  assert.ok(!loaded.ok, "expected problems");
  return loaded.problems;
}
