// The function millrace.submit(kind, payload, options), for triggers and for every language that speaks SQL. Like a submission in a
// caller's transaction (submit/submit-within.ts) it locks no lane, no counter and no row of a live job. It runs with the rights of
// the owner, so its callers need no rights on tables.

import { HAS_UNIQUE_KEY, RUNNING, SCHEDULED } from "../../codes.ts";

/** How long it waits for a transaction with the same key, in milliseconds, and between two tries. */
const LOCK_MS = 5_000;
const PAUSE_SECONDS = 0.02;
const MAX_PAYLOAD_BYTES = 1_048_576;

// Multiplication of 32-bit numbers, as Math.imul does it. The product of 16 and 32 bits fits into a bigint.
const TIMES = `
CREATE FUNCTION millrace.times32(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ((((a >> 16) * b) & 65535) * 65536 + (a & 65535) * b) & 4294967295
$$;`;

// The public id of a key, as lib/public-id.ts makes it: six rounds over two halves of 24 bits, until the value fits into 8 digits.
const JOB_ID = `
CREATE FUNCTION millrace.job_id(key bigint) RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  secret bytea := sha512(convert_to('job_:' || (SELECT meta.value FROM millrace.meta WHERE meta.name = 'id_secret'), 'UTF8'));
  value bigint := key;
  id text := '';
  lhs bigint; rhs bigint; half bigint; round_key bigint; x bigint;
BEGIN
  LOOP
    lhs := value >> 24;
    rhs := value & 16777215;
    FOR round IN 0..5 LOOP
      round_key := get_byte(secret, round * 4) + (get_byte(secret, round * 4 + 1)::bigint << 8)
        + (get_byte(secret, round * 4 + 2)::bigint << 16) + (get_byte(secret, round * 4 + 3)::bigint << 24);
      x := millrace.times32(rhs # round_key, 2654435761);
      x := millrace.times32(x # (x >> 15) # round_key, 2246822507);
      x := millrace.times32(x # (x >> 13), 3266489909);
      half := lhs # ((x # (x >> 16)) & 16777215);
      lhs := rhs;
      rhs := half;
    END LOOP;
    value := (lhs << 24) + rhs;
    EXIT WHEN value < 218340105584896;
  END LOOP;
  FOR place IN 1..8 LOOP
    id := substr(digits, (value % 62)::int + 1, 1) || id;
    value := value / 62;
  END LOOP;
  RETURN 'job_' || id;
END $$;`;

// The stage at which a new job starts: the rule of store/plans/catalog.ts, for a submitter without a plan of its own.
const FIRST_STAGE = `
CREATE FUNCTION millrace.first_stage(kind_id integer) RETURNS integer LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog AS $$
DECLARE
  chosen record; twin integer; lowest integer;
BEGIN
  SELECT worker.plan, CASE WHEN worker.pinned THEN worker.deployment ELSE 0 END AS pin INTO chosen
  FROM millrace.worker
  JOIN millrace.deployment ON deployment.id = worker.deployment
  JOIN millrace.instance ON instance.id = worker.instance
  WHERE worker.kind = kind_id AND NOT instance.draining
    AND instance.expires_at > floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint
  ORDER BY deployment.number DESC, worker.instance DESC LIMIT 1;
  IF NOT FOUND THEN
    SELECT last_plan AS plan, last_pin AS pin INTO chosen FROM millrace.kind WHERE id = kind_id AND last_plan IS NOT NULL;
  END IF;
  IF NOT FOUND THEN
    -- No worker ever had the kind: the last plan that a submitter registered, else none.
    SELECT id AS plan, 0 AS pin INTO chosen FROM millrace.plan WHERE plan.kind = kind_id AND plan.needs < 2
    ORDER BY first_seen DESC, id DESC LIMIT 1;
  END IF;
  IF NOT FOUND THEN
    RETURN (SELECT id FROM millrace.stage WHERE stage.kind = kind_id AND stage.plan IS NULL);
  END IF;
  SELECT other.id INTO twin FROM millrace.plan AS own
  JOIN millrace.plan AS other ON other.kind = own.kind AND other.stages = own.stages AND other.needs = 2
  WHERE own.id = chosen.plan AND own.needs < 2;
  SELECT min(instance.level) INTO lowest FROM millrace.worker JOIN millrace.instance ON instance.id = worker.instance
  WHERE worker.kind = kind_id AND NOT instance.draining
    AND instance.expires_at > floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint;
  RETURN (
    SELECT id FROM millrace.stage
    WHERE stage.plan = CASE WHEN twin IS NULL OR coalesce(lowest, 2) < 2 THEN chosen.plan ELSE twin END
      AND stage.pin = chosen.pin AND stage.position = 0
  );
END $$;`;

// The lock of a key, under the name that connection/locks.ts gives it. The name of the schema is part of it; it stands in the text of
// every statement before a dot, perhaps in quotes.
const LOCK_KEY = `
CREATE FUNCTION millrace.lock_key(name text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  key bigint := ('x' || substr(encode(sha256(convert_to(rtrim(replace('millrace.', '"', ''), '.') || ' ' || name, 'UTF8')), 'hex'), 1, 16))::bit(64)::bigint;
  until timestamptz := clock_timestamp() + interval '${LOCK_MS} milliseconds';
BEGIN
  WHILE NOT pg_try_advisory_xact_lock(key) LOOP
    IF clock_timestamp() >= until THEN
      RAISE EXCEPTION 'Another transaction has submitted the same key and has not committed yet.' USING ERRCODE = 'lock_not_available';
    END IF;
    PERFORM pg_sleep(${PAUSE_SECONDS});
  END LOOP;
END $$;`;

/** A later migration replaces it. */
export const SUBMIT_JSON = `
CREATE FUNCTION millrace.submit(kind text, payload json, options json DEFAULT '{}') RETURNS text LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog AS $$
DECLARE
  now bigint := floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint;
  kind_id integer; tenant_id integer; stage_id integer; job_key bigint; run_at bigint; option text; live record; first record;
  tenant_name text := coalesce(options ->> 'tenant', 'default');
  unique_key text := options ->> 'uniqueKey';
  if_unique text := coalesce(options ->> 'ifUnique', 'refuse');
  idempotency_key text := options ->> 'idempotencyKey';
  fingerprint text;
BEGIN
  FOR option IN SELECT json_object_keys(options) LOOP
    IF option <> ALL (ARRAY['tenant', 'priority', 'runAt', 'delayMs', 'maxAttempts', 'timeoutMs', 'expiresInMs', 'deadlineMs', 'tags', 'traceId',
      'uniqueKey', 'ifUnique', 'idempotencyKey']) THEN
      RAISE EXCEPTION 'Unknown option "%" of a submission.', option USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END LOOP;
  IF if_unique NOT IN ('refuse', 'join') THEN
    RAISE EXCEPTION 'ifUnique must be "refuse" or "join".' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF octet_length(payload::text) > ${MAX_PAYLOAD_BYTES} THEN
    RAISE EXCEPTION 'The payload is over 1 MiB.' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  IF tenant_name !~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$' THEN
    RAISE EXCEPTION 'Invalid tenant name "%".', tenant_name USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT id INTO kind_id FROM millrace.kind WHERE name = submit.kind;
  stage_id := millrace.first_stage(kind_id);
  IF stage_id IS NULL THEN
    RAISE EXCEPTION 'Unknown kind "%".', submit.kind USING ERRCODE = 'invalid_parameter_value',
      HINT = 'A process must have opened Millrace with the kind once.';
  END IF;
  SELECT id INTO tenant_id FROM millrace.tenant WHERE name = tenant_name;
  IF NOT FOUND THEN
    INSERT INTO millrace.tenant (name) VALUES (tenant_name) ON CONFLICT (name) DO UPDATE SET name = excluded.name
    RETURNING id INTO tenant_id;
  END IF;

  IF idempotency_key IS NOT NULL THEN
    fingerprint := encode(sha256(convert_to('sql ' || submit.kind || ' ' || payload::jsonb::text || ' ' || options::jsonb::text, 'UTF8')), 'hex');
    PERFORM millrace.lock_key('idempotency ' || tenant_id || ' ' || idempotency_key);
    SELECT * INTO first FROM millrace.idempotency WHERE idempotency.tenant = tenant_id AND idempotency.key = idempotency_key
      AND created_at > now - 86400000;
    IF FOUND THEN
      IF first.fingerprint <> fingerprint THEN
        RAISE EXCEPTION 'The idempotency key "%" was used before with another body.', idempotency_key USING ERRCODE = 'unique_violation';
      END IF;
      RETURN millrace.job_id((first.jobs::json -> 'keys' ->> 0)::bigint);
    END IF;
  END IF;
  IF unique_key IS NOT NULL THEN
    PERFORM millrace.lock_key('unique ' || kind_id || ' ' || tenant_id || ' ' || unique_key);
    SELECT job.id, job.standing INTO live FROM millrace.unique_key AS held JOIN millrace.job ON job.id = held.job
    WHERE held.kind = kind_id AND held.tenant = tenant_id AND held.key = unique_key;
    IF FOUND AND if_unique = 'join' THEN
      INSERT INTO millrace.joined (job) VALUES (live.id);
      RETURN millrace.job_id(live.id);
    ELSIF FOUND THEN
      RAISE EXCEPTION '"%" is already %.', unique_key, CASE WHEN live.standing = ${RUNNING} THEN 'being worked on' ELSE 'waiting' END
        USING ERRCODE = 'unique_violation', DETAIL = millrace.job_id(live.id);
    END IF;
  END IF;

  run_at := coalesce(
    floor(extract(epoch FROM (options ->> 'runAt')::timestamptz) * 1000)::bigint,
    now + coalesce((options ->> 'delayMs')::bigint, 0)
  );
  job_key := nextval('millrace.job_key');
  INSERT INTO millrace.job (id, stage, tenant, standing, priority, run_at, flags, created_at, updated_at, max_attempts, timeout_ms,
    expires_at, deadline_at, payload, tags, trace)
  VALUES (job_key, stage_id, tenant_id, ${SCHEDULED}, coalesce((options ->> 'priority')::int, 0), run_at,
    CASE WHEN unique_key IS NULL THEN 0 ELSE ${HAS_UNIQUE_KEY} END, now, now,
    (options ->> 'maxAttempts')::int, (options ->> 'timeoutMs')::bigint, run_at + (options ->> 'expiresInMs')::bigint,
    now + (options ->> 'deadlineMs')::bigint, payload::text, NULLIF((options -> 'tags')::jsonb::text, '[]'), options ->> 'traceId');
  IF unique_key IS NOT NULL THEN
    INSERT INTO millrace.unique_key (kind, tenant, key, job) VALUES (kind_id, tenant_id, unique_key, job_key);
  END IF;
  IF idempotency_key IS NOT NULL THEN
    INSERT INTO millrace.idempotency (tenant, key, fingerprint, jobs, created_at)
    VALUES (tenant_id, idempotency_key, fingerprint, json_build_object('keys', json_build_array(job_key))::text, now)
    ON CONFLICT (tenant, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, jobs = excluded.jobs, created_at = excluded.created_at;
  END IF;
  RETURN millrace.job_id(job_key);
END $$;`;

const SUBMIT_OTHERS = `
CREATE FUNCTION millrace.submit(kind text, payload jsonb, options jsonb DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
  SELECT millrace.submit(kind, payload::json, options::json)
$$;
CREATE FUNCTION millrace.submit(kind text, payload text, options text DEFAULT '{}') RETURNS text LANGUAGE sql AS $$
  SELECT millrace.submit(kind, payload::json, options::json)
$$;`;

/** The functions that only `submit` calls are not for others. */
const RIGHTS = `
REVOKE ALL ON FUNCTION millrace.first_stage(integer), millrace.lock_key(text) FROM PUBLIC;`;

export const SQL_SUBMIT = [TIMES, JOB_ID, FIRST_STAGE, LOCK_KEY, SUBMIT_JSON, SUBMIT_OTHERS, RIGHTS].join("\n");
