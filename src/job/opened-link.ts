/** Bytes that outlive the job that made them, as whoever follows a link to them gets them. */
export interface OpenedLink {
  tenant: string;
  key: string;
  contentType: string;
  bytes: Uint8Array;
  info: unknown;
  createdAt: Date;
}
