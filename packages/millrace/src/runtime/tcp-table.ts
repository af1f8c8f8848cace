// Linux's table of connections: /proc/net/tcp and tcp6. Addresses are in hexadecimal, each 32 bits in the machine's order.

export interface TcpConnection {
  /** The address of the other end. */
  readonly address: string;
  /** A number that grows with every socket of the machine: the newest socket has the largest. */
  readonly inode: number;
}

const ESTABLISHED = "01";
const CLOSE_WAIT = "08";

/** Connections that were accepted at this port. */
export function tcpConnections(port: number, read: (table: "tcp" | "tcp6") => string): TcpConnection[] {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return (["tcp", "tcp6"] as const).flatMap((table) =>
    read(table)
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, from, , state]) => from?.endsWith(local) && (state === ESTABLISHED || state === CLOSE_WAIT))
      .map(([, , to = "", , , , , , , inode]) => ({ address: addressOf(to), inode: Number(inode) })),
  );
}

const MAPPED = "0000000000000000FFFF0000";

function addressOf(remote: string): string {
  const hex = remote.slice(0, remote.indexOf(":"));
  if (hex.length === 8) return ipv4(hex);
  if (hex.startsWith(MAPPED)) return ipv4(hex.slice(MAPPED.length));
  const words = (hex.match(/.{8}/g) ?? []).map((word) => bytesOf(word).join(""));
  return (words.join("").match(/.{4}/g) ?? []).join(":").toLowerCase();
}

function ipv4(hex: string): string {
  return bytesOf(hex)
    .map((byte) => Number.parseInt(byte, 16))
    .join(".");
}

/** From the order of a little-endian machine, which all we run on are. */
function bytesOf(word: string): string[] {
  return (word.match(/../g) ?? []).reverse();
}
