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

/** The version of the server that sent this page. */
export const VERSION = said("millrace-version");

/** The environment that the server says it is, with its colour. Its name is empty if it says nothing. */
export const ENVIRONMENT = { name: said("millrace-environment"), colour: said("millrace-environment-colour") };
