/** A problem that the user can solve: printed as one sentence, without a stack. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {number} exitCode
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
