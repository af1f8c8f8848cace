/** The reason of `ctx.signal` when the attempt ends because the job waits. A later attempt goes on from the stored answers. */
export class Suspended extends Error {
  constructor() {
    super("The job waits, so this attempt has ended. A later attempt continues.");
    this.name = "Suspended";
  }
}
