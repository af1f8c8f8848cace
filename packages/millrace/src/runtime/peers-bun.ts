// Bun reports no connection before its first request, and cannot close one on demand. So the kernel's table of this server's
// connections is read twice a second, and excess connections are shut down by a system call, which Bun sees as closed by the
// client. On systems other than Linux, connections are bounded by time alone.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Libc } from "./bun.ts";
import { type ConnectionBounds, openDescriptors, SpareDescriptors } from "./descriptors.ts";
import type { PeerOptions } from "./peers-node.ts";
import { Refusals } from "./refusals.ts";
import { type TcpConnection, tcpConnections } from "./tcp-table.ts";

const LOOK_MS = 500;
const SHUT_BOTH_WAYS = 2;

export function boundPeersOnBun(port: number, bounds: ConnectionBounds, libc: Libc, options: PeerOptions): () => void {
  const refusals = new Refusals(options.log);
  const least = Math.min(bounds.perPeer, bounds.total);
  const spares = new SpareDescriptors();
  const timer = setInterval(() => {
    // All open descriptors are counted at once. Only when there are many, the connections among them are looked at.
    if ((openDescriptors() ?? Number.POSITIVE_INFINITY) > least) spares.lend(look);
  }, LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    spares.close();
  };

  function look(): void {
    const excess = tooMany(tcpConnections(port, readTable), bounds, options);
    if (excess.length === 0) return;
    shutDown(new Set(excess.map(({ inode }) => inode)), libc);
    refusals.add(excess[0]?.address, excess.length);
  }
}

/**
 * The connections to close: the newest of each address that has too many, then the newest of all while there are too
 * many in all.
 */
export function tooMany(
  all: readonly TcpConnection[],
  { perPeer, total }: ConnectionBounds,
  { isTrusted = () => false }: Pick<PeerOptions, "isTrusted">,
): TcpConnection[] {
  const oldestFirst = all.toSorted((a, b) => a.inode - b.inode);
  const kept = new Map<string, number>();
  const excess: TcpConnection[] = [];
  let left = 0;
  for (const connection of oldestFirst) {
    const own = kept.get(connection.address) ?? 0;
    if (left >= total || (own >= perPeer && !isTrusted(connection.address))) excess.push(connection);
    else {
      kept.set(connection.address, own + 1);
      left++;
    }
  }
  return excess;
}

/** Only this thread closes connections, so a descriptor that was just found is still the same one. */
function shutDown(inodes: ReadonlySet<number>, libc: Libc): void {
  for (const descriptor of readdirSync("/proc/self/fd")) {
    const inode = Number(/^socket:\[(\d+)\]$/.exec(linkOf(descriptor))?.[1]);
    if (inodes.has(inode)) libc.shutdown(Number(descriptor), SHUT_BOTH_WAYS);
  }
}

function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
}

function readTable(name: "tcp" | "tcp6"): string {
  try {
    return readFileSync(`/proc/self/net/${name}`, "utf8");
  } catch {
    return "";
  }
}
