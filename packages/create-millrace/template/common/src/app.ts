import { AppError, type Millrace } from "millrace";
import { createHandler } from "millrace/http";
import { identify } from "./auth.ts";
import { newUser, welcome } from "./contracts.ts";
import { page } from "./page.ts";

/** The web application as one function from request to response. */
export function createApp(millrace: Millrace): (request: Request) => Promise<Response> {
  const dashboard = createHandler(millrace, { basePath: "/millrace", auth: identify });

  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/millrace" || pathname.startsWith("/millrace/")) return askForPassword(await dashboard(request));
    if (pathname === "/health") return health(millrace);
    if (pathname === "/signup" && request.method === "POST") return signUp(millrace, request);
    if (pathname === "/") return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
    return Response.json({ error: "Not found." }, { status: 404 });
  };
}

async function signUp(millrace: Millrace, request: Request): Promise<Response> {
  const user = newUser.safeParse(await request.json().catch(() => undefined));
  if (!user.success) return Response.json({ error: "Send a name and an email address." }, { status: 400 });
  try {
    const job = await millrace.submit(welcome, user.data);
    return Response.json({ jobId: job.id, dashboard: `/millrace/ui/jobs/${job.id}` }, { status: 202 });
  } catch (error) {
    console.error(error);
    const code = error instanceof AppError ? error.code : "internal";
    return Response.json({ error: "The job was not accepted. Try again.", code }, { status: 503 });
  }
}

async function health(millrace: Millrace): Promise<Response> {
  const { status } = await millrace.health();
  return Response.json({ status }, { status: status === "error" ? 503 : 200 });
}

/** The browser asks for a password when a response says so. */
function askForPassword(response: Response): Response {
  if (response.status === 401) response.headers.set("www-authenticate", 'Basic realm="Millrace"');
  return response;
}
