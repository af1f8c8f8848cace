/** What every error looks like on the wire: a sentence for people, a stable word for programs, perhaps the next step. */
export interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly hint?: string;
  readonly traceId: string;
}

export function answerError(status: number, body: ErrorBody, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
