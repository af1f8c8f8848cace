import { type FormEvent, useId, useState } from "react";
import type { Key } from "../../src/client/index.ts";
import { useAct, useLiveQuery, useSurroundings } from "../lib/data.ts";
import { useNow } from "../lib/use-now.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Check, Input, Select } from "../ui/field.tsx";
import { CopyButton } from "../ui/json.tsx";
import { Empty, Loaded, Panel } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { useWorkloads } from "../workloads/use-workloads.ts";

export function Keys() {
  const keys = useLiveQuery<Key[]>({
    key: ["keys"],
    load: (client, signal) => client.keys.list({ signal }),
    concerns: NEVER,
  });
  const [asked, setAsked] = useState<"create" | Key>();
  const close = () => setAsked(undefined);
  const now = useNow();
  return (
    <>
      <Panel
        title="Keys"
        aside={
          <Button className="small" onClick={() => setAsked("create")}>
            New key…
          </Button>
        }
      >
        <Loaded query={keys}>
          {(all) =>
            all.length === 0 ? (
              <Empty title="No key yet.">A key belongs to one tenant and may submit, read or administer.</Empty>
            ) : (
              <div className="table-scroll">
                <table className="table">
                  <thead>
                    <tr>
                      <th className="wide">Name</th>
                      <th>Tenant</th>
                      <th>Scopes</th>
                      <th>Created</th>
                      <th>State</th>
                      <th />
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((key) => (
                      <tr key={key.id}>
                        <td className="wide">
                          {key.name} <code className="dim">{key.id}</code>
                        </td>
                        <td data-label="tenant">{key.tenant}</td>
                        <td className="nowrap" data-label="may">
                          {key.scopes.join(", ")}
                        </td>
                        <td className="dim nowrap">
                          <Ago at={key.createdAt} />
                        </td>
                        <td>
                          <KeyState keyInfo={key} now={now} />
                        </td>
                        <td className="right">
                          {key.revokedAt === undefined && (
                            <Button
                              className="small"
                              look="danger"
                              aria-label={`Revoke ${key.name}`}
                              onClick={() => setAsked(key)}
                            >
                              Revoke…
                            </Button>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </Panel>
      {asked === "create" && <CreateDialog onClose={close} />}
      {asked !== undefined && asked !== "create" && <RevokeDialog keyInfo={asked} onClose={close} />}
    </>
  );
}

const NEVER = () => false;

function KeyState({ keyInfo: { revokedAt, expiresAt }, now }: { keyInfo: Key; now: number }) {
  if (revokedAt) return <Badge tone="off">revoked</Badge>;
  if (expiresAt && Date.parse(expiresAt) < now) return <Badge tone="off">expired</Badge>;
  return <Badge tone="good">valid</Badge>;
}

const DAYS = { "": undefined, "30": 30, "90": 90, "365": 365 } as const;

function CreateDialog({ onClose }: { onClose: () => void }) {
  const form = useId();
  const { session } = useSurroundings();
  const [name, setName] = useState("");
  const [tenant, setTenant] = useState(session.root ? "" : session.tenant);
  const [scopes, setScopes] = useState<Key["scopes"]>(["submit", "read"]);
  const ofWorkloads = (useWorkloads().data ?? []).flatMap((workload) => workload.scopes);
  const [days, setDays] = useState<keyof typeof DAYS>("");
  const [secret, setSecret] = useState<string>();
  const create = useAct<void, { secret: string }>({
    run: (client) => {
      const lasts = DAYS[days];
      const expiresAt = lasts === undefined ? undefined : new Date(Date.now() + lasts * 86_400_000).toISOString();
      return client.keys.create({
        name: name.trim(),
        tenant: tenant.trim() || "default",
        scopes,
        ...(expiresAt && { expiresAt }),
      });
    },
    after: (made) => setSecret(made.secret),
  });
  const toggle = (scope: Key["scopes"][number], on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((each) => each !== scope));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  if (secret !== undefined) {
    return (
      <Dialog
        title="Your new key"
        onClose={onClose}
        actions={
          <CopyButton text={secret} what="Key">
            Copy
          </CopyButton>
        }
      >
        <p>Copy it now: it is not shown again. The server stores only a hash.</p>
        <p className="secret mono">{secret}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      error={create.error}
      title="New key"
      onClose={onClose}
      actions={
        <Button look="primary" submits form={form} busy={create.isPending} disabled={scopes.length === 0}>
          Create key
        </Button>
      }
    >
      <form id={form} className="stack" onSubmit={submit}>
        <Input
          label="Name"
          required
          maxLength={100}
          placeholder="the shop"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Input
          label="Tenant"
          placeholder="default"
          maxLength={64}
          disabled={!session.root}
          value={tenant}
          onChange={(event) => setTenant(event.target.value)}
        />
        <fieldset className="scopes">
          <legend>Permissions</legend>
          <Check
            label="submit and change jobs"
            checked={scopes.includes("submit")}
            onChange={(event) => toggle("submit", event.target.checked)}
          />
          <Check
            label="read jobs"
            checked={scopes.includes("read")}
            onChange={(event) => toggle("read", event.target.checked)}
          />
          <Check
            label="administer"
            checked={scopes.includes("admin")}
            onChange={(event) => toggle("admin", event.target.checked)}
          />
          {ofWorkloads.map(({ scope, allows }) => (
            <Check
              key={scope}
              label={`${scope}: ${allows}`}
              checked={scopes.includes(scope)}
              onChange={(event) => toggle(scope, event.target.checked)}
            />
          ))}
        </fieldset>
        <Select
          label="Expires"
          value={days}
          onChange={(event) => setDays(event.target.value as keyof typeof DAYS)}
          options={[
            ["", "never"],
            ["30", "in 30 days"],
            ["90", "in 90 days"],
            ["365", "in a year"],
          ]}
        />
      </form>
    </Dialog>
  );
}

function RevokeDialog({ keyInfo, onClose }: { keyInfo: Key; onClose: () => void }) {
  const revoke = useAct({
    run: (client) => client.keys.revoke(keyInfo.id),
    done: () => `The key ${keyInfo.name} is revoked.`,
    after: onClose,
  });
  return (
    <Dialog
      error={revoke.error}
      title={`Revoke the key ${keyInfo.name}?`}
      onClose={onClose}
      actions={
        <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      }
    >
      <p>
        Requests with this key for the tenant {keyInfo.tenant} are refused immediately, and its dashboard sessions end.
        Its jobs are not affected.
      </p>
    </Dialog>
  );
}
