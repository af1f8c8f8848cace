/** What a wait rejects with after another member of its race has won. */
export class WaitClosed extends Error {
  constructor(name: string) {
    super(`The wait "${name}" was closed because another member of its race won.`);
    this.name = "WaitClosed";
  }
}
