import type { FetchedResponse } from "../fetch/fetch.ts";

/** Signs of services that let no machine in before a browser has solved a puzzle. */
const BY_HEADER: readonly [service: string, header: string, value: RegExp][] = [
  ["Cloudflare", "cf-mitigated", /challenge/i],
  ["Vercel", "x-vercel-mitigated", /challenge|deny/i],
  ["AWS WAF", "x-amzn-waf-action", /challenge|captcha/i],
];
const BY_BODY: readonly [service: string, sign: RegExp][] = [
  ["Cloudflare", /\/cdn-cgi\/challenge-platform\/|cf-chl-|cf_chl_opt|cf-browser-verification/i],
  ["DataDome", /captcha-delivery\.com/i],
  ["HUMAN", /px-captcha|_pxAppId/],
  ["Imperva", /_Incapsula_Resource|Incapsula incident ID/i],
  ["AWS WAF", /awswaf\.com|AwsWafIntegration/],
  ["Akamai", /errors\.edgesuite\.net/i],
  ["DDoS-Guard", /ddos-guard\.net|\.well-known\/ddos-guard/i],
  ["Sucuri", /sucuri_cloudproxy|Sucuri WebSite Firewall/i],
  ["Kasada", /ips\.js\?KP_UIDz/],
];

const BODY_BYTES = 60_000;
const REFUSALS = new Set([401, 403, 405, 429, 503]);
/** Sites load such scripts on ordinary pages too; a challenge has hardly any words beside them. */
const MOST_WORDS = 60;

/** The service whose bot check came instead of the page, if one did. `words`: how many the page shows. */
export function challengeOf({ status, headers, body }: FetchedResponse, words: number): string | undefined {
  const byHeader = BY_HEADER.find(([, header, value]) => value.test(headers[header] ?? ""));
  if (byHeader) return byHeader[0];
  if (!REFUSALS.has(status) && words > MOST_WORDS) return undefined;
  const text = new TextDecoder().decode(body.subarray(0, BODY_BYTES));
  return BY_BODY.find(([, sign]) => sign.test(text))?.[0];
}
