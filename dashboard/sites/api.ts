// The routes of the kind `site`, as far as the pages use them.

import { MillraceError } from "../../src/client/index.ts";

export interface SiteSummary {
  readonly jobId: string;
  readonly url: string;
  readonly status: string;
  readonly inProgress: boolean;
  readonly waitsFor?: "review" | "budget";
  readonly createdAt: string;
  readonly completedAt?: string;
  readonly brand?: string;
  readonly headline?: string;
  readonly mode?: "extractive" | "model";
  readonly error?: string;
}

export interface Estimate {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | null;
}

export interface Budget {
  readonly usd?: number;
  readonly tokens?: number;
  readonly calls?: number;
}

export interface Prompt {
  readonly id: string;
  readonly text: string;
  readonly intent: string;
  readonly branded: boolean;
  readonly origin: string;
}

export interface Cell {
  readonly promptId: string;
  readonly model: string;
  readonly sample: number;
  readonly state: "answered" | "sent" | "waits" | "failed";
}

export interface SiteView extends SiteSummary {
  readonly job: {
    readonly jobId: string;
    readonly tenant: string;
    readonly state: string;
    readonly status: string;
    readonly stage: string;
    readonly payload: unknown;
    readonly progress?: { readonly value: number; readonly message?: string };
    readonly heldFor?: string;
    readonly lastError?: string;
    readonly retriedAs?: string;
  };
  readonly pages: readonly {
    readonly url: string;
    readonly title?: string;
    readonly words?: number;
    readonly skipped?: string;
  }[];
  readonly retriesByStage: Readonly<Record<string, number>>;
  readonly profile?: {
    readonly brand: { readonly name: string; readonly from: string; readonly confidence: string };
    readonly offer: Readonly<Record<string, readonly { readonly text: string }[]>>;
    readonly rivalsNamed: readonly { readonly name: string }[];
    readonly readiness: readonly Check[];
  };
  readonly prompts?: { readonly prompts: readonly Prompt[]; readonly shortfalls: readonly string[] };
  readonly estimate?: Estimate;
  readonly cells: readonly Cell[];
  readonly spent: Estimate;
  readonly budget?: Budget;
  readonly missing?: number;
  readonly reportUrl?: string;
}

export interface Check {
  readonly id: string;
  readonly label: string;
  readonly status: "pass" | "warn" | "fail" | "n/a";
  readonly finding: string;
  readonly fix?: string;
}

export interface SiteRequest {
  readonly url: string;
  readonly brand?: { readonly name: string };
  readonly competitors?: readonly { readonly name: string }[];
  readonly models?: readonly string[];
  readonly prompts?: readonly string[];
  readonly promptCount?: number;
  readonly maxPages?: number;
  readonly samples?: number;
  readonly budget?: Budget;
  readonly reviewPrompts?: boolean;
}

/** `tenant`: whose; an administrator reads across all with `*`. */
export function siteCalls(tenant: string | undefined) {
  const call = <T>(method: string, path: string, body?: unknown, signal?: AbortSignal) =>
    request<T>(method, path, { tenant, body, signal });
  return {
    list: async (signal?: AbortSignal) =>
      (await call<{ sites: SiteSummary[] }>("GET", "/sites?limit=200", undefined, signal)).sites,
    get: (id: string, signal?: AbortSignal) => call<SiteView>("GET", `/sites/${id}`, undefined, signal),
    submit: (site: SiteRequest) => call<{ jobId: string }>("POST", "/sites", site),
    approve: (id: string, prompts?: readonly string[]) =>
      call<unknown>("POST", `/sites/${id}/prompts/approve`, prompts ? { prompts } : {}),
    raise: (id: string, budget: Budget) => call<unknown>("POST", `/sites/${id}/budget`, { budget }),
    finish: (id: string) => call<unknown>("POST", `/sites/${id}/budget`, { finish: true }),
    retryMissing: (id: string) => call<{ jobId: string }>("POST", `/sites/${id}/retry`),
  };
}

interface Asked {
  readonly tenant: string | undefined;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

async function request<T>(method: string, path: string, { tenant, body, signal }: Asked): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: {
      accept: "application/json",
      ...(tenant !== undefined && { "x-tenant-id": tenant }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new MillraceError("unreachable", "The server cannot be reached.", { cause });
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  throw new MillraceError(answer.code ?? "bad-answer", answer.error ?? `Status ${response.status}.`, {
    ...answer,
    status: response.status,
  });
}
