import type { Server } from "node:http";
import type { Log } from "../telemetry/log/log.ts";
import type { ConnectionBounds } from "./descriptors.ts";
import { Refusals } from "./refusals.ts";
import type { ServeOptions } from "./serve.ts";

/** Closes a connection that is one too many, before it has sent anything. */
export function boundPeersOnNode(server: Server, bounds: ConnectionBounds, options: PeerOptions): void {
  const refusals = new Refusals(options.log);
  const perPeer = new Map<string, number>();
  let total = 0;
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    const own = perPeer.get(address) ?? 0;
    if (total >= bounds.total || (own >= bounds.perPeer && !options.isTrusted?.(address))) {
      refusals.add(address);
      socket.destroy();
      return;
    }
    total++;
    perPeer.set(address, own + 1);
    socket.once("close", () => {
      total--;
      const left = (perPeer.get(address) ?? 1) - 1;
      if (left > 0) perPeer.set(address, left);
      else perPeer.delete(address);
    });
  });
}

export type PeerOptions = Pick<ServeOptions, "isTrusted"> & { readonly log: Log };
