// All that plainjob's contender needs of Bun's types.
declare module "bun:sqlite" {
  export class Database {
    constructor(path: string, options?: { strict?: boolean });
  }
}
