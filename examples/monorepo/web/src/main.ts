import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { order, report } from "@shop/contracts";
import { AppError, JobFailure, Millrace, postgres } from "millrace";

const url = process.env["DATABASE_URL"];
if (!url) throw new Error("DATABASE_URL is not set.");

// `work: false`: this process submits and waits. It has no processor code.
const millrace = await Millrace.open({ store: postgres(url), kinds: [order, report], work: false });

/** Submits the order and waits for its receipt. */
async function placeOrder(request: IncomingMessage): Promise<[status: number, body: unknown]> {
  try {
    const job = await millrace.submit(order, JSON.parse(await text(request)));
    const { receipt, parcel } = await job.wait({ timeoutMs: 30_000 });
    return [200, { jobId: job.id, receipt, parcel }];
  } catch (error) {
    if (error instanceof JobFailure) return [402, { error: error.message }];
    if (error instanceof AppError) return [400, { code: error.code, error: error.message }];
    if (error instanceof SyntaxError) return [400, { error: "The body must be JSON." }];
    throw error;
  }
}

const server = createServer(async (request, response) => {
  const isOrder = request.method === "POST" && request.url === "/orders";
  const [status, body] = isOrder
    ? await placeOrder(request).catch((error: unknown) => [500, { error: String(error) }] as const)
    : [404, { error: "Not found." }];
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  console.log(`http://127.0.0.1:${port}`);
});

process.once("SIGTERM", async () => {
  server.close();
  await millrace.stop();
});
