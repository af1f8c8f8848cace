import { inspect } from "../../packages/millrace/src/store/sqlite/connection/inspect.ts";
import { temporaryFolder } from "../support/program.ts";
import { unpackSqlite } from "./support/fixture.ts";
import { describeStoredData } from "./support/suite.ts";

describeStoredData({
  store: "sqlite",
  copy: async (data, t) => unpackSqlite(data, temporaryFolder(t)),
  inspect: async (path) => inspect(path),
});
