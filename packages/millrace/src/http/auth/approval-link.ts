// A link by which one person decides one approval, without a key: from a mail or a chat. It is signed, not stored. Its name becomes
// `by` of the decision. It works on every server of the store until the approval is decided or the secret changes.

import { createHmac, timingSafeEqual } from "node:crypto";

const PREFIX = "mra1.";
const SHAPE = /^mra1\.[\w-]{1,1000}\.[\w-]{43}$/;

export interface ApprovalLinkClaims {
  readonly approvalId: string;
  /** The person who decides by this link. */
  readonly by: string;
}

export function signApprovalLink({ approvalId, by }: ApprovalLinkClaims, secret: string): string {
  const body = `${PREFIX}${Buffer.from(JSON.stringify([approvalId, by])).toString("base64url")}`;
  return `${body}.${signatureOf(body, secret)}`;
}

/** The purpose of a link. Undefined: it was not signed with this secret. */
export function readApprovalLink(token: string, secret: string): ApprovalLinkClaims | undefined {
  if (!SHAPE.test(token)) return undefined;
  const at = token.lastIndexOf(".");
  const [body, signature] = [token.slice(0, at), token.slice(at + 1)];
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(body, secret)))) return undefined;
  const [approvalId, by] = JSON.parse(Buffer.from(body.slice(PREFIX.length), "base64url").toString()) as string[];
  return approvalId === undefined || by === undefined ? undefined : { approvalId, by };
}

function signatureOf(body: string, secret: string): string {
  return createHmac("sha256", `approval link ${secret}`).update(body).digest("base64url");
}
