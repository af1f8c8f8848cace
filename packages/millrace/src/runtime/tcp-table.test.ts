import assert from "node:assert/strict";
import { test } from "node:test";
import { tooMany } from "./peers-bun.ts";
import { tcpConnections } from "./tcp-table.ts";

const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0200007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 222 1 0000000000000000 20 4 0 10 -1
   2: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 333 1 0000000000000000 20 4 0 10 -1
   3: 0100007F:1F90 0200007F:D432 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0000000000000000 20 4 0 10 -1`;
const TCP6 = `  sl  local_address                         remote_address                        st
   0: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF0000071C6ECB:D433 01 0:0 0:0 0 1000 0 444 1
   1: 00000000000000000000000001000000:1F90 B80D0120000000000000000001000000:D434 08 0:0 0:0 0 1000 0 555 1`;

test("the connections of a port are read from the kernel's tables, IPv4, mapped and IPv6", () => {
  assert.deepEqual(
    tcpConnections(8080, (table) => (table === "tcp" ? TCP : TCP6)),
    [
      { address: "127.0.0.2", inode: 222 },
      { address: "203.110.28.7", inode: 444 },
      { address: "2001:0db8:0000:0000:0000:0000:0000:0001", inode: 555 },
    ],
  );
});

test("the newest of an address that has too many go, then the newest of all; trusted ones only for want of room", () => {
  const of = (address: string, ...inodes: number[]) => inodes.map((inode) => ({ address, inode }));
  const all = [...of("a", 5, 1, 3), ...of("proxy", 2, 4, 6), ...of("b", 7)];
  const gone = (perPeer: number, total: number) =>
    tooMany(all, { perPeer, total }, { isTrusted: (address) => address === "proxy" }).map(({ inode }) => inode);
  assert.deepEqual(gone(2, 100), [5]);
  assert.deepEqual(gone(100, 5), [6, 7]);
  assert.deepEqual(gone(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY), []);
});
