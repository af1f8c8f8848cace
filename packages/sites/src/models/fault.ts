import { AppError } from "millrace";
export type ModelFaultCode =
  | "key-refused"
  | "quota-used-up"
  | "rate-limited"
  | "unavailable"
  | "timed-out"
  | "bad-request"
  | "unreadable"
  | "not-installed";

/** Why a call gave no answer, and whether another might. */
export class ModelFault extends Error {
  readonly code: ModelFaultCode;
  readonly retryAfterMs: number | undefined;
  /** What was billed all the same: an answer that could not be read, say. */
  readonly usage: { inputTokens: number; outputTokens: number } | undefined;
  /** The request reached the provider and no answer came: it may have worked on it, and may bill it. */
  readonly perhapsBilled: boolean;

  constructor(
    code: ModelFaultCode,
    message: string,
    more: { retryAfterMs?: number; usage?: ModelFault["usage"]; perhapsBilled?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.retryAfterMs = more.retryAfterMs;
    this.usage = more.usage;
    this.perhapsBilled = more.perhapsBilled ?? false;
  }

  static from(error: unknown, timeoutMs: number | undefined): ModelFault {
    if (timeoutMs !== undefined)
      return new ModelFault("timed-out", `No answer within ${timeoutMs} ms.`, { cause: error, perhapsBilled: true });
    if (error instanceof AppError) return new ModelFault("not-installed", error.message, { cause: error });
    const { name, statusCode, responseHeaders, responseBody, message, usage } = error as SdkError;
    const billed = usage && { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 };
    const more = { cause: error, ...(billed && { usage: billed }) };
    const said = clean(message);
    if (statusCode === 401 || statusCode === 403)
      return new ModelFault("key-refused", `The provider refused the key (${statusCode}).`, more);
    if (statusCode === 402 || (statusCode === 429 && QUOTA.test(`${message} ${responseBody}`)))
      return new ModelFault("quota-used-up", `The account's quota or credit is used up (${statusCode}): ${said}`, more);
    if (statusCode === 429) {
      return new ModelFault("rate-limited", "The provider limits the rate (429).", {
        ...more,
        retryAfterMs: retryAfter(responseHeaders),
      });
    }
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500 && statusCode !== 408 && statusCode !== 409) {
      return new ModelFault("bad-request", `The provider refused the request (${statusCode}): ${said}`, more);
    }
    // It came and was billed. Asked again, the same model would most likely say the same, and be paid for it again.
    if (UNREADABLE.has(name ?? ""))
      return new ModelFault("unreadable", "The answer does not have the requested format.", more);
    return new ModelFault(
      "unavailable",
      statusCode === undefined ? `The provider could not be reached: ${said}` : unavailable(statusCode),
      {
        ...more,
        ...(responseHeaders?.["retry-after"] !== undefined && { retryAfterMs: retryAfter(responseHeaders) }),
        perhapsBilled: statusCode === undefined && !NEVER_SENT.has(codeOf(error)),
      },
    );
  }

  get permanent(): boolean {
    return PERMANENT.has(this.code);
  }
}

/** As providers say that waiting does not help. */
const QUOTA =
  /insufficient_quota|quota_exceeded|exceeded your current quota|credit balance|billing|RESOURCE_EXHAUSTED.*per day/i;

/** The connection was not made, so nothing was asked. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ConnectionRefused",
  "FailedToOpenSocket",
]);

/** The code of the error at the bottom of a chain of causes. */
function codeOf(error: unknown): string {
  let code = "";
  for (let each = error, depth = 0; each instanceof Error && depth < 8; each = each.cause, depth++) {
    const own: unknown = (each as { code?: unknown }).code;
    if (typeof own === "string") code = own;
  }
  return code;
}

function unavailable(statusCode: number): string {
  if (statusCode === 529 || statusCode === 503) return `The provider is overloaded (${statusCode}).`;
  return statusCode < 400
    ? `The provider's answer could not be read (${statusCode}).`
    : `The provider answered ${statusCode}.`;
}

/** As the SDK names answers that came and do not fit. */
const UNREADABLE = new Set(["AI_NoObjectGeneratedError", "AI_NoOutputGeneratedError", "AI_JSONParseError"]);

interface SdkError {
  name?: string;
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  message?: string;
  usage?: { inputTokens?: number; outputTokens?: number };
}

const PERMANENT: ReadonlySet<ModelFaultCode> = new Set([
  "key-refused",
  "quota-used-up",
  "bad-request",
  "unreadable",
  "not-installed",
]);

const DEFAULT_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;

function retryAfter(headers: Record<string, string> | undefined): number {
  const given = headers?.["retry-after-ms"]
    ? Number(headers["retry-after-ms"])
    : Number(headers?.["retry-after"]) * 1_000;
  if (Number.isFinite(given) && given >= 0) return Math.min(given, LONGEST_PAUSE_MS);
  const until = Date.parse(headers?.["retry-after"] ?? "") - Date.now();
  return Number.isFinite(until) && until > 0 ? Math.min(until, LONGEST_PAUSE_MS) : DEFAULT_PAUSE_MS;
}

/** What a provider says may quote the key it was sent. */
function clean(message: string | undefined): string {
  return (message ?? "no reason given")
    .replaceAll(/\b(?:sk|key|Bearer)[-_ ][\w-]{8,}/gi, "[key]")
    .replaceAll(/\s+/g, " ")
    .slice(0, 300);
}
