import type { z } from "zod";
import { DecisionBody, workflowRoutes } from "../../api/workflow.ts";
import type { ApprovalView } from "../../job/report/messages.ts";
import { AppError } from "../../lib/app-error.ts";
import { closedPage, decidedPage, questionPage } from "../approval-page.ts";
import { type ApprovalLinkClaims, readApprovalLink, signApprovalLink } from "../auth/approval-link.ts";
import { audited } from "../auth/audit.ts";
import { type Caller, oneTenant, sees } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { parsePart } from "../request/parse-part.ts";
import { readJson, readText } from "../request/read-body.ts";

const PAGE = 50;
const IS_OVER = "The approval is decided, has expired, or its job has ended.";
const FORM = "application/x-www-form-urlencoded";

export interface ApprovalHandlerOptions {
  readonly engine: Engine;
  /** The secret that signs links. Undefined: the server has none, and gives no links. */
  readonly linkSecret: string | undefined;
}

/** Approvals: the list, decisions by callers with a key, and links for people without one. */
export function approvalHandlers({ engine, linkSecret }: ApprovalHandlerOptions): BoundRoute[] {
  return [
    bind(workflowRoutes.approvals, async ({ query, caller, basePath }) => {
      const { limit = PAGE, cursor, jobId, audience } = query;
      const tenant = tenantOf(query, caller);
      const found = await engine.approvals({
        limit: limit + 1,
        ...(tenant !== undefined && { tenant }),
        ...(jobId !== undefined && { jobId }),
        ...(cursor !== undefined && { after: cursor }),
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const secret = mayDecide(caller) ? linkSecret : undefined;
      const approvals = page
        .filter((approval) => audience === undefined || approval.audience.includes(audience))
        .map((approval) => ({ ...approval, ...linkOf(approval, { audience, secret, basePath }) }));
      return { body: { approvals, ...(last && { nextCursor: last.id }) } };
    }),

    bind(workflowRoutes.longWaits, async ({ query, caller }) => {
      const tenant = tenantOf(query, caller);
      return { body: { waits: await engine.longWaits(tenant === undefined ? {} : { tenant }) } };
    }),

    bind(workflowRoutes.decide, async ({ params, body, caller, traceId }) => {
      const approval = await engine.approval(params.approvalId);
      const isTheirs = approval !== undefined && sees(caller, approval.tenant);
      if (approval && !isTheirs) throw new AppError("approval-not-found", "Approval not found.");
      const { choice, comment } = body;
      const decision = { choice, by: caller.name, ...(comment !== undefined && { comment }) };
      const { jobId, name, tenant } = await engine.decide(params.approvalId, {
        ...decision,
        ...(!caller.root && { tenant: oneTenant(caller) }),
      });
      await audited(engine, { caller, traceId }, `approval "${name}" decided: ${choice}`, { target: jobId, tenant });
      return { body: { jobId, name, choice, by: caller.name } };
    }),

    bind(workflowRoutes.approvalLink, async ({ params }) => {
      const { approvalId, by } = proven(params.token, linkSecret);
      const approval = await engine.approval(approvalId);
      return approval ? questionPage(approval, by) : closedPage(IS_OVER, 410);
    }),

    bind(workflowRoutes.decideByLink, async ({ params, request, traceId }) => {
      const { approvalId, by } = proven(params.token, linkSecret);
      const isForm = (request.headers.get("content-type") ?? "").startsWith(FORM);
      const { choice, comment } = await decisionIn(request, isForm);
      try {
        const decision = { choice, by, ...(comment !== undefined && { comment }) };
        const { jobId, name, tenant } = await engine.decide(approvalId, decision);
        await engine.admin.audit(by, `approval "${name}" decided: ${choice}`, { target: jobId, tenant, traceId });
        return isForm ? decidedPage(choice, by) : { body: { jobId, name, choice, by } };
      } catch (error) {
        const isOver = error instanceof AppError && (error.code === "conflict" || error.code === "approval-not-found");
        if (isForm && isOver) return closedPage(IS_OVER, 409);
        throw error;
      }
    }),
  ];
}

/** The tenant that the caller asks for, or the only one that it sees. Undefined: all tenants. */
function tenantOf(query: { tenant?: string | undefined }, caller: Caller): string | undefined {
  const tenant = query.tenant ?? (caller.root ? undefined : oneTenant(caller));
  if (tenant !== undefined && !sees(caller, tenant)) {
    throw new AppError("forbidden", "The key belongs to another tenant.");
  }
  return tenant;
}

function mayDecide({ scopes }: Caller): boolean {
  return scopes.has("submit") || scopes.has("admin");
}

/** A link decides in the name of one person, so it is signed for a name that the approval gives. */
function linkOf(
  { id, audience }: ApprovalView,
  asked: { audience: string | undefined; secret: string | undefined; basePath: string },
): { link?: string } {
  const by = asked.audience ?? (audience.length === 1 ? audience[0] : undefined);
  if (asked.secret === undefined || by === undefined) return {};
  return { link: `${asked.basePath}/approvals/links/${signApprovalLink({ approvalId: id, by }, asked.secret)}` };
}

function proven(token: string, secret: string | undefined): ApprovalLinkClaims {
  const claims = secret === undefined ? undefined : readApprovalLink(token, secret);
  if (claims) return claims;
  throw new AppError("approval-not-found", "Invalid link.", { hint: "Ask for a new link: GET /approvals gives one." });
}

async function decisionIn(request: Request, isForm: boolean): Promise<z.infer<typeof DecisionBody>> {
  if (!isForm) return parsePart(DecisionBody, (await readJson(request)) ?? {}, "body") as z.infer<typeof DecisionBody>;
  const { comment, ...fields } = Object.fromEntries(new URLSearchParams(await readText(request)));
  const body = { ...fields, ...(comment !== undefined && comment !== "" && { comment }) };
  return parsePart(DecisionBody, body, "body") as z.infer<typeof DecisionBody>;
}
