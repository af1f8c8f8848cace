// One connection for all tabs of a browser: browsers allow six to a server, and a feed takes one for good. Of the visible tabs that
// want the feed, the one with the lock has the connection and passes on what comes; the next one takes over when it leaves.

import type { Client, LiveEvent } from "../../src/client/index.ts";
import { API_BASE } from "./mount.ts";

export interface FeedListener {
  event(event: LiveEvent): void;
  open(): void;
  cut(): void;
  /** The server does not give this feed. */
  refused(error: unknown): void;
}

type Message = { readonly event: LiveEvent } | { readonly state: "open" | "cut" } | { readonly asks: true };

/** Follows the feed until the signal is aborted. `audience`: tabs share a feed only if they see the same jobs. */
export function followFeed(
  client: Pick<Client, "live">,
  audience: string,
  listener: FeedListener,
  signal: AbortSignal,
): void {
  // Pages without TLS have no locks. Their visible tabs have a connection each.
  if (!("locks" in navigator) || typeof BroadcastChannel === "undefined") {
    void connect(client, listener, signal);
    return;
  }
  const name = `millrace-live ${API_BASE} ${audience}`;
  const channel = new BroadcastChannel(name);
  const send = (message: Message) => {
    if (!signal.aborted) channel.postMessage(message);
  };
  let state: "open" | "cut" | undefined;
  let leads = false;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("asks" in data) {
      if (leads && state !== undefined) send({ state });
    } else if (leads) return;
    else if ("event" in data) listener.event(data.event);
    else listener[data.state]();
  };
  signal.addEventListener("abort", () => channel.close(), { once: true });
  send({ asks: true });
  const told: FeedListener = {
    event: (event) => {
      send({ event });
      listener.event(event);
    },
    open: () => {
      state = "open";
      send({ state });
      listener.open();
    },
    cut: () => {
      state = "cut";
      send({ state });
      listener.cut();
    },
    refused: listener.refused,
  };
  void navigator.locks
    .request(name, { signal }, async () => {
      leads = true;
      await connect(client, told, signal);
    })
    .catch(() => {
      // The tab was hidden before it got the lock.
    });
}

async function connect(client: Pick<Client, "live">, listener: FeedListener, signal: AbortSignal): Promise<void> {
  const options = { signal, onOpen: () => listener.open(), onCut: () => listener.cut() };
  try {
    await client.live((event) => listener.event(event), options);
  } catch (error) {
    listener.cut();
    listener.refused(error);
  }
}
