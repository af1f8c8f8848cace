// Where the server put this dashboard. The server writes it into the page, because the same build runs at `/` and below any
// path of another application.

function said(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

/** The path of the API: `""` on a server of its own, `/millrace` below another application. */
export const API_BASE = said("millrace-base-path");

/** The address of a route of the API, for links, pictures and frames: `addressOf("/greetings/1")`. */
export function addressOf(path: string): string {
  return API_BASE + path;
}

/** False if another application authenticates its users: then there are no keys, no sign-in page and no sign-out. */
export const HAS_KEYS = said("millrace-sign-in") !== "host";
