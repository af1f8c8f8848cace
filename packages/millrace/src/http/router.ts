// From a method and a path to a route. Routes without parameters are found by their whole address; the few others by
// their number of parts, one after the other. A slash at the end of a path makes no difference.

export interface Match<Route> {
  readonly route: Route;
  readonly params: Record<string, string>;
}

interface Pattern<Route> {
  readonly method: string;
  readonly parts: readonly string[];
  readonly route: Route;
}

export interface Router<Route> {
  find(method: string, path: string): Match<Route> | undefined;
  /** The methods that this path takes. */
  methodsAt(path: string): string[];
}

export function createRouter<Route>(
  routes: readonly { readonly method: string; readonly path: string; readonly route: Route }[],
): Router<Route> {
  const plain = new Map<string, Match<Route>>();
  const patterns = new Map<number, Pattern<Route>[]>();
  for (const { method, path, route } of routes) {
    if (!path.includes("{")) plain.set(`${method} ${path}`, { route, params: {} });
    else {
      const parts = path.split("/");
      patterns.set(parts.length, [...(patterns.get(parts.length) ?? []), { method, parts, route }]);
    }
  }
  const methods = METHODS.filter((method) => routes.some((route) => route.method === method));
  const find = (method: string, path: string): Match<Route> | undefined => {
    const found = plain.get(`${method} ${path}`);
    if (found) return found;
    // The route is answered here instead of redirected: a redirect would lose the body of a POST.
    if (path.length > 1 && path.endsWith("/")) return path.endsWith("//") ? undefined : find(method, path.slice(0, -1));
    const parts = path.split("/");
    for (const pattern of patterns.get(parts.length) ?? []) {
      const params = pattern.method === method ? matched(pattern.parts, parts) : undefined;
      if (params) return { route: pattern.route, params };
    }
    return undefined;
  };
  return { find, methodsAt: (path) => methods.filter((method) => find(method, path) !== undefined) };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function matched(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [i, wanted] of pattern.entries()) {
    const part = parts[i] as string;
    if (!wanted.startsWith("{")) {
      if (wanted !== part) return undefined;
    } else if (part === "") return undefined;
    else params[wanted.slice(1, -1)] = decoded(part);
  }
  return params;
}

/** An invalid escape stays as it was sent, and the route's own schema refuses it. */
function decoded(part: string): string {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The path of an address, without what comes before and after it. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}
