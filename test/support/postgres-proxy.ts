import { connect, createServer, type Server, type Socket } from "node:net";

type Mode = "open" | "deaf";

const NOTIFICATION = 0x41; // "A"

/**
 * Stands between a store and its server. "deaf": notifications are dropped, all else passes.
 */
export class PostgresProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #mode: Mode;
  /** How much later each answer of the server arrives: a database that is far away. */
  delayMs = 0;

  private constructor(server: Server, mode: Mode) {
    this.#server = server;
    this.#mode = mode;
  }

  static async start(target: string, mode: Mode = "open"): Promise<{ proxy: PostgresProxy; url: string }> {
    const url = new URL(target);
    const port = Number(url.port);
    const server = createServer();
    const proxy = new PostgresProxy(server, mode);
    server.on("connection", (client) => proxy.#join(client, connect(port, url.hostname)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url.port = String((server.address() as { port: number }).port);
    return { proxy, url: url.href };
  }

  /** As when a cable is pulled or a firewall forgets: nothing of these connections passes any more, and nobody is told. */
  cutOff(): void {
    for (const socket of this.#sockets) socket.removeAllListeners("data").on("data", () => {});
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, server: Socket): void {
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      const hears = from === server ? withoutNotifications() : (chunk: Buffer) => chunk;
      from.on("data", (chunk: Buffer) => {
        const heard = this.#mode === "deaf" ? hears(chunk) : chunk;
        if (from === server && this.delayMs > 0) setTimeout(() => to.write(heard), this.delayMs);
        else to.write(heard);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}

/** Messages from the server have a letter and a length; those of one letter are left out. */
function withoutNotifications(): (chunk: Buffer) => Buffer {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const kept: Buffer[] = [];
    while (rest.length >= 5) {
      const size = rest.readUInt32BE(1) + 1;
      if (rest.length < size) break;
      if (rest[0] !== NOTIFICATION) kept.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    return Buffer.concat(kept);
  };
}
