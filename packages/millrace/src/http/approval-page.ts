// The page behind a signed link. It has no script. Opening it decides nothing, because mail scanners and previews open links too.

import type { ApprovalView } from "../job/report/messages.ts";
import { escaped } from "./docs/html.ts";

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 1rem}
h1{font-size:1.4rem}pre{overflow:auto;padding:.75rem;border:1px solid #8886;border-radius:.5rem}
textarea{width:100%;font:inherit;box-sizing:border-box}button{font:inherit;padding:.4rem 1rem;margin:.75rem .5rem 0 0}
p.about{opacity:.75}`;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  // The address is the permission, so no other site may learn it. A form of the same page still names its origin.
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex",
};

export function questionPage({ title, details, choices, jobId, until }: ApprovalView, by: string): Response {
  const shown = details === undefined ? "" : `<pre>${escaped(textOf(details))}</pre>`;
  const limit = until === undefined ? "" : ` It can be decided until <time datetime="${until}">${until}</time>.`;
  const buttons = choices.map(
    (choice) => `<button name="choice" value="${escaped(choice)}">${escaped(choice)}</button>`,
  );
  return page(
    200,
    title,
    `${shown}<form method="post"><label for="comment">Comment (optional)</label>
<textarea id="comment" name="comment" rows="3" maxlength="10000"></textarea>${buttons.join("")}</form>
<p class="about">You decide as <strong>${escaped(by)}</strong> for job ${escaped(jobId)}.${limit} Only the first decision counts.</p>`,
  );
}

export function decidedPage(choice: string, by: string): Response {
  return page(200, "Thank you", `<p>Decided: <strong>${escaped(choice)}</strong>, by ${escaped(by)}.</p>`);
}

/** The page of an approval that was decided or expired, or whose job has ended. */
export function closedPage(message: string, status: number): Response {
  return page(status, "Nothing to decide", `<p>${escaped(message)}</p>`);
}

function page(status: number, title: string, body: string): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body><main>
<h1>${escaped(title)}</h1>${body}</main></body></html>`;
  return new Response(html, { status, headers: HEADERS });
}

function textOf(details: unknown): string {
  return typeof details === "string" ? details : JSON.stringify(details, null, 2);
}
