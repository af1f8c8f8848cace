// Holds the port while workers come and go: each connection is passed on, byte by byte, to the worker of the moment. While
// there is none, connections wait for the next one instead of being refused.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** How long a connection waits for a worker that starts. */
const PATIENCE_MS = 15_000;

/** A worker's address, and how many connections it has. */
export class RelayTarget {
  readonly port: number;
  readonly sockets = new Set<Socket>();

  constructor(port: number) {
    this.port = port;
  }
}

export class PortRelay {
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  #target = Promise.withResolvers<RelayTarget>();
  #problem: string | undefined;

  constructor() {
    // Connections are half-open: a client may end its side and still wait for the answer.
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => void this.#pass(client));
  }

  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<AddressInfo> {
    this.#server.listen({ host, port });
    // Rejects with the error event.
    await once(this.#server, "listening");
    return this.#server.address() as AddressInfo;
  }

  /** Sends new connections to this worker from now on. */
  switchTo(target: RelayTarget): void {
    this.#target.resolve(target);
    this.#target = Promise.withResolvers();
    this.#target.resolve(target);
    this.#problem = undefined;
  }

  /**
   * Call this when the worker is gone: connections wait for the next one. With a problem that a person must solve, they
   * are answered.
   */
  interrupt(problem?: string): void {
    this.#target = Promise.withResolvers();
    this.#problem = problem;
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
    if (this.#server.listening) await once(this.#server, "close");
  }

  async #pass(client: Socket): Promise<void> {
    this.#clients.add(client);
    client.on("error", () => client.destroy());
    client.on("close", () => this.#clients.delete(client));
    // Browsers and fetch open connections before they need them, so the worker is chosen at the first byte.
    const first = await firstBytes(client);
    if (first === undefined) return void client.destroy();
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const target = this.#problem === undefined ? await within(this.#target.promise, until) : undefined;
      if (client.destroyed) return;
      if (target === undefined) return refuse(client, this.#problem ?? "No worker has started yet.");
      const worker = await connected(target);
      if (client.destroyed) return void worker?.destroy();
      if (worker !== undefined) return join({ client, worker, first });
      // The worker has just died; the supervisor notices in a moment.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (performance.now() > until) return refuse(client, "The worker does not answer.");
    }
  }
}

/** The first bytes of a connection. Undefined: the client has gone away without sending any. */
async function firstBytes(client: Socket): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    client.once("data", (bytes: Buffer) => {
      client.pause();
      resolve(bytes);
    });
    client.once("end", () => resolve(undefined));
    client.once("close", () => resolve(undefined));
    client.resume();
  });
}

interface Pair {
  readonly client: Socket;
  readonly worker: Socket;
  readonly first: Buffer;
}

function join({ client, worker, first }: Pair): void {
  worker.on("close", () => client.destroySoon());
  worker.on("error", () => worker.destroy());
  client.on("close", () => worker.destroy());
  worker.write(first);
  client.pipe(worker);
  worker.pipe(client);
}

async function connected({ port, sockets }: RelayTarget): Promise<Socket | undefined> {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  // The connection is counted at once: a worker must not retire between the choice of it and the connection.
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  socket.setNoDelay(true);
  try {
    await once(socket, "connect");
    return socket;
  } catch {
    socket.destroy();
    return undefined;
  }
}

async function within<T>(promise: Promise<T>, until: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, until - performance.now()));
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** In the shape of the API's errors. */
function refuse(client: Socket, error: string): void {
  const body = `${JSON.stringify({ error, code: "stopping", hint: "See the terminal that runs millrace dev." })}\n`;
  client.resume();
  client.end(
    "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\nconnection: close\r\n" +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
