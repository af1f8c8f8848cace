// Run in a confined child before its module is loaded: everything that leads to a network is removed. Where the kernel has
// given the child a network of its own this is the second lock; where it has not, the first.

import dgram from "node:dgram";
import net from "node:net";

const GLOBALS = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest", "Worker", "navigator"];
const OF_BUN = [
  "fetch",
  "connect",
  "listen",
  "serve",
  "udpSocket",
  "spawn",
  "spawnSync",
  "$",
  "mmap",
  "write",
  "sql",
  "redis",
  "s3",
];

export function removeNetwork(): void {
  for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name);
  const refuse = () => {
    throw new Error("This processor has no network.");
  };
  // Everything that Node builds on sockets goes through these two.
  net.Socket.prototype.connect = refuse as never;
  dgram.createSocket = refuse as never;
  const bun = (globalThis as { Bun?: Record<string, unknown> }).Bun;
  if (bun === undefined) return;
  for (const name of OF_BUN) {
    try {
      Object.defineProperty(bun, name, { value: refuse });
    } catch {
      // A property that cannot be changed is left to the kernel's lock.
    }
  }
}
