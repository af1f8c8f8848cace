import { engine } from "../../../lib/millrace.ts";

async function handle(request: Request): Promise<Response> {
  const { handler } = await engine();
  return handler(request);
}

export { handle as DELETE, handle as GET, handle as HEAD, handle as POST, handle as PUT };
