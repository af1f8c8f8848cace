// millrace.submit() again, whole. It checks every option as the engine does, because a value that the engine cannot read would break
// every list that shows the job. The rules of the kind that need its code stand in its policy (job/kind/plan.ts).
//
// The functions run with the rights of the owner. A caller's temporary schema is searched for types before all others, unless
// search_path names it: a domain called "text" with a check of the caller's would run as the owner. So it is named last.

import { FOLLOWS, HAS_UNIQUE_KEY, RUNNING, SCHEDULED } from "../../codes.ts";
import { KEYED } from "../../keys/codes.ts";
import { NEVER } from "../../waits/codes.ts";

const MAX_PAYLOAD_BYTES = 1_048_576;
const YEAR_MS = 31_622_400_000;
/** The last moment that a Date of JavaScript can be, in milliseconds since 1970. */
const LAST_MS = 8_640_000_000_000_000;

const PATHS = `
ALTER FUNCTION millrace.job_id(bigint) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION millrace.first_stage(integer) SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION millrace.lock_key(text) SET search_path = pg_catalog, pg_temp;`;

// The newest worker decides, as in store/plans/catalog.ts. NULL: no worker ever had the kind.
const KIND_POLICY = `
CREATE FUNCTION millrace.kind_policy(kind_id integer) RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT NULLIF(coalesce((
    SELECT worker.policy FROM millrace.worker
    JOIN millrace.deployment ON deployment.id = worker.deployment
    JOIN millrace.instance ON instance.id = worker.instance
    WHERE worker.kind = kind_id AND NOT instance.draining
      AND instance.expires_at > floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint
    ORDER BY deployment.number DESC, worker.instance DESC LIMIT 1
  ), (SELECT plan FROM millrace.kind WHERE id = kind_id)), '')::jsonb
$$;`;

/** The bounds of job/options/submit-options.ts. */
const CHECK_OPTIONS = `
CREATE FUNCTION millrace.check_options(options jsonb) RETURNS void LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  option record;
BEGIN
  IF jsonb_typeof(options) IS DISTINCT FROM 'object' THEN
    RAISE EXCEPTION 'The options must be a JSON object.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR option IN
    SELECT given.name, given.value, jsonb_typeof(given.value) AS type, given.value #>> '{}' AS text, rule.form, rule.least, rule.most
    FROM jsonb_each(options) AS given (name, value)
    LEFT JOIN (VALUES
      ('priority', 'whole', -1000000, 1000000),
      ('delayMs', 'whole', 0, ${10 * YEAR_MS}),
      ('maxAttempts', 'whole', 1, 1000),
      ('timeoutMs', 'whole', 1, ${YEAR_MS}),
      ('expiresInMs', 'whole', 1, ${10 * YEAR_MS}),
      ('deadlineMs', 'whole', 1, ${10 * YEAR_MS}),
      ('uniqueKey', 'string', 1, 255),
      ('concurrencyKey', 'string', 1, 255),
      ('idempotencyKey', 'string', 1, 255),
      ('tenant', 'tenant', NULL, NULL),
      ('ifUnique', 'word', NULL, NULL),
      ('runAt', 'time', NULL, NULL),
      ('tags', 'tags', NULL, NULL),
      ('traceId', 'trace', NULL, NULL),
      ('traceParent', 'parent', NULL, NULL)
    ) AS rule (name, form, least, most) ON rule.name = given.name
  LOOP
    IF option.form IS NULL THEN
      RAISE EXCEPTION 'Unknown option "%" of a submission.', option.name USING ERRCODE = 'invalid_parameter_value';
    ELSIF option.type = 'null' THEN
      CONTINUE;
    ELSIF option.form = 'whole' THEN
      IF option.type <> 'number' OR option.text::numeric NOT BETWEEN option.least AND option.most
        OR option.text::numeric <> trunc(option.text::numeric) THEN
        RAISE EXCEPTION '% must be a whole number from % to %.', option.name, option.least, option.most
          USING ERRCODE = 'invalid_parameter_value';
      END IF;
    ELSIF option.form = 'tags' THEN
      IF option.type <> 'array' OR jsonb_array_length(option.value) > 20 OR EXISTS (
        SELECT 1 FROM jsonb_array_elements(option.value) AS tag (value)
        WHERE jsonb_typeof(tag.value) <> 'string' OR length(tag.value #>> '{}') NOT BETWEEN 1 AND 64
      ) THEN
        RAISE EXCEPTION 'tags must be an array of at most 20 strings of 1 to 64 characters each.'
          USING ERRCODE = 'invalid_parameter_value';
      END IF;
    ELSIF option.type <> 'string' THEN
      RAISE EXCEPTION '% must be a string.', option.name USING ERRCODE = 'invalid_parameter_value';
    ELSIF option.form = 'string' AND length(option.text) NOT BETWEEN option.least AND option.most THEN
      RAISE EXCEPTION '% must be a string of % to % characters.', option.name, option.least, option.most
        USING ERRCODE = 'invalid_parameter_value';
    ELSIF option.form = 'tenant' AND option.text !~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$' THEN
      RAISE EXCEPTION 'Invalid tenant name "%".', option.text USING ERRCODE = 'invalid_parameter_value';
    ELSIF option.form = 'word' AND option.text NOT IN ('refuse', 'join', 'replace', 'extend') THEN
      RAISE EXCEPTION 'ifUnique must be "refuse", "join", "replace" or "extend".' USING ERRCODE = 'invalid_parameter_value';
    ELSIF option.form = 'time' THEN
      IF NOT isfinite(option.text::timestamptz) OR extract(epoch FROM option.text::timestamptz) * 1000 NOT BETWEEN 0 AND ${LAST_MS} THEN
        RAISE EXCEPTION 'runAt must be a time from 1970 to the year 275760.' USING ERRCODE = 'invalid_parameter_value';
      END IF;
    ELSIF option.form = 'trace' AND option.text !~ '^[A-Za-z0-9_.:/-]{1,128}$' THEN
      RAISE EXCEPTION 'traceId must be a string of 1 to 128 letters, digits or . : / - _.' USING ERRCODE = 'invalid_parameter_value';
    ELSIF option.form = 'parent' AND (option.text !~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'
      OR option.text ~ '^00-0{32}' OR option.text ~ '-0{16}-') THEN
      RAISE EXCEPTION 'traceParent must be a W3C traceparent: 00-<trace id>-<span id>-<flags>.'
        USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END LOOP;
  IF options -> 'runAt' <> 'null' AND options -> 'delayMs' <> 'null' THEN
    RAISE EXCEPTION 'Pass runAt or delayMs, not both.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;`;

// What the kind's own code would do with a submission, and SQL cannot do, must stand in the options.
const CHECK_KIND = `
CREATE FUNCTION millrace.check_kind(kind text, policy jsonb, options jsonb) RETURNS void LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  rules jsonb := policy -> 'submission';
BEGIN
  IF rules ->> 'pattern' IS NOT NULL THEN
    RAISE EXCEPTION 'Jobs of the kind "%" cannot be submitted in SQL, because the kind is %.', kind, rules ->> 'pattern'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Only TypeScript can compute its key. Insert a row into an outbox instead.';
  END IF;
  IF rules ->> 'uniqueKey' = 'true' AND NOT options ? 'uniqueKey' THEN
    RAISE EXCEPTION 'Jobs of the kind "%" need the option "uniqueKey".', kind
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Only TypeScript can compute the key. Pass null for no key.';
  END IF;
  IF policy #>> '{concurrency,keyed}' = 'true' AND NOT options ? 'concurrencyKey' THEN
    RAISE EXCEPTION 'Jobs of the kind "%" need the option "concurrencyKey".', kind
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Only TypeScript can compute the key. Pass null for no key.';
  END IF;
  IF policy #>> '{concurrency,ordered}' = 'true' AND coalesce((options ->> 'priority')::numeric::int, 0) <> 0 THEN
    RAISE EXCEPTION 'Jobs of the kind "%" run in order, so they cannot have a priority.', kind
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;`;

const SUBMIT = `
CREATE OR REPLACE FUNCTION millrace.submit(kind text, payload json, options json DEFAULT '{}') RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  now bigint := floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint;
  given jsonb := coalesce(options, '{}')::jsonb;
  kind_id integer; tenant_id integer; stage_id integer; job_key bigint; run_at bigint; live record; first record; policy jsonb;
  tenant_name text := coalesce(given ->> 'tenant', 'default');
  unique_key text := given ->> 'uniqueKey';
  if_unique text;
  concurrency_key text := given ->> 'concurrencyKey';
  idempotency_key text := given ->> 'idempotencyKey';
  fingerprint text; follows boolean := false;
BEGIN
  PERFORM millrace.check_options(given);
  IF payload IS NULL THEN
    RAISE EXCEPTION 'The payload is missing.' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Pass ''null'' for a kind that takes no payload.';
  END IF;
  IF octet_length(payload::text) > ${MAX_PAYLOAD_BYTES} THEN
    RAISE EXCEPTION 'The payload is over 1 MiB.' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  SELECT id INTO kind_id FROM millrace.kind WHERE name = submit.kind;
  stage_id := millrace.first_stage(kind_id);
  IF stage_id IS NULL THEN
    RAISE EXCEPTION 'Unknown kind "%".', coalesce(submit.kind, '') USING ERRCODE = 'invalid_parameter_value',
      HINT = 'A process must have opened Millrace with the kind once.';
  END IF;
  policy := millrace.kind_policy(kind_id);
  PERFORM millrace.check_kind(submit.kind, policy, given);
  if_unique := coalesce(given ->> 'ifUnique', policy #>> '{submission,ifUnique}', 'refuse');
  SELECT id INTO tenant_id FROM millrace.tenant WHERE name = tenant_name;
  IF NOT FOUND THEN
    INSERT INTO millrace.tenant (name) VALUES (tenant_name) ON CONFLICT (name) DO UPDATE SET name = excluded.name
    RETURNING id INTO tenant_id;
  END IF;

  IF idempotency_key IS NOT NULL THEN
    fingerprint := encode(sha256(convert_to('sql ' || submit.kind || ' ' || payload::jsonb::text || ' ' || given::text, 'UTF8')), 'hex');
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
    IF if_unique IN ('replace', 'extend') THEN
      follows := FOUND OR EXISTS (
        SELECT 1 FROM millrace.follower_caller AS waiting
        WHERE waiting.kind = kind_id AND waiting.tenant = tenant_id AND waiting.key = unique_key
      );
    ELSIF FOUND AND if_unique = 'join' THEN
      INSERT INTO millrace.joined (job) VALUES (live.id);
      RETURN millrace.job_id(live.id);
    ELSIF FOUND THEN
      RAISE EXCEPTION '"%" is already %.', unique_key, CASE WHEN live.standing = ${RUNNING} THEN 'being worked on' ELSE 'waiting' END
        USING ERRCODE = 'unique_violation', DETAIL = millrace.job_id(live.id);
    END IF;
  END IF;

  run_at := coalesce(
    floor(extract(epoch FROM (given ->> 'runAt')::timestamptz) * 1000)::bigint,
    now + coalesce((given ->> 'delayMs')::numeric::bigint, 0)
  );
  job_key := nextval('millrace.job_key');
  INSERT INTO millrace.job (id, stage, tenant, standing, priority, run_at, flags, created_at, updated_at, max_attempts, timeout_ms,
    expires_at, deadline_at, payload, tags, trace, concurrency_key)
  VALUES (job_key, stage_id, tenant_id, ${SCHEDULED}, coalesce((given ->> 'priority')::numeric::int, 0),
    CASE WHEN follows THEN ${NEVER} ELSE run_at END,
    CASE WHEN concurrency_key IS NULL THEN 0 ELSE ${KEYED} END
      | CASE WHEN follows THEN ${FOLLOWS} WHEN unique_key IS NULL THEN 0 ELSE ${HAS_UNIQUE_KEY} END,
    now, now, (given ->> 'maxAttempts')::numeric::int, (given ->> 'timeoutMs')::numeric::bigint,
    CASE WHEN NOT follows THEN run_at + (given ->> 'expiresInMs')::numeric::bigint END,
    now + coalesce((given ->> 'deadlineMs')::numeric::bigint, (policy #>> '{submission,deadlineMs}')::bigint),
    payload::text, NULLIF(NULLIF((given -> 'tags')::text, '[]'), 'null'),
    CASE WHEN given ->> 'traceParent' IS NULL THEN given ->> 'traceId'
      ELSE coalesce(given ->> 'traceId', substr(given ->> 'traceParent', 4, 32)) || ' ' || (given ->> 'traceParent') END,
    concurrency_key);
  IF follows THEN
    INSERT INTO millrace.follower_caller (job, kind, tenant, key, extends, run_at, expires_at)
    VALUES (job_key, kind_id, tenant_id, unique_key, if_unique = 'extend', run_at,
      run_at + (given ->> 'expiresInMs')::numeric::bigint);
  ELSIF unique_key IS NOT NULL THEN
    INSERT INTO millrace.unique_key (kind, tenant, key, job) VALUES (kind_id, tenant_id, unique_key, job_key);
  END IF;
  IF idempotency_key IS NOT NULL THEN
    INSERT INTO millrace.idempotency (tenant, key, fingerprint, jobs, created_at)
    VALUES (tenant_id, idempotency_key, fingerprint, json_build_object('keys', json_build_array(job_key))::text, now)
    ON CONFLICT (tenant, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, jobs = excluded.jobs, created_at = excluded.created_at;
  END IF;
  INSERT INTO millrace.window_caller (owner, at, count)
  SELECT id, now, 1 FROM millrace.tenant WHERE id = tenant_id AND rate_count > 0;
  RETURN millrace.job_id(job_key);
END $$;`;

/** The functions that only `submit` calls are not for others. */
const RIGHTS = `
REVOKE ALL ON FUNCTION millrace.kind_policy(integer), millrace.check_options(jsonb), millrace.check_kind(text, jsonb, jsonb) FROM PUBLIC;`;

export const SQL_SUBMIT_CHECKED = [PATHS, KIND_POLICY, CHECK_OPTIONS, CHECK_KIND, SUBMIT, RIGHTS].join("\n");
