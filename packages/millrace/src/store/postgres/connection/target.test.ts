// runtimes: bun
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DatabaseTarget } from "./target.ts";

const at = (query: string) => new DatabaseTarget(`postgres://me:secret@db.example:5433/jobs?${query}`);

describe("DATABASE_URL", () => {
  test("names a schema, which is put into every statement and may be a word of SQL", () => {
    assert.equal(at("").inSchema("SELECT 1 FROM millrace.job"), "SELECT 1 FROM millrace.job");
    assert.equal(at("schema=user").inSchema("SELECT nextval('millrace.turn')"), `SELECT nextval('"user".turn')`);
    for (const wrong of ["pg_mine", "A", "a-b", "a.b", "1a", 'a"b'])
      assert.throws(() => at(`schema=${wrong}`), { code: "options-invalid", message: /Invalid schema name/ });
  });

  test("is shown whole, without either kind of password", () => {
    const { shown } = at("schema=other&password=topsecret&connections=4");
    assert.match(shown, /^postgres:\/\/me:\*\*\*@db\.example:5433\/jobs\?schema=other&password=\*\*\*&connections=4$/);
  });

  test("says what stands in between, and a misspelt word is refused", () => {
    assert.deepEqual(
      [at("").prepare, at("pooler=session").prepare, at("pooler=transaction").prepare],
      [true, true, false],
    );
    assert.throws(() => at("pooler=tranaction"), { code: "options-invalid" });
    assert.throws(() => at("connections=1"), { code: "options-invalid" });
    assert.throws(() => at("shema=mine"), { code: "options-invalid", message: /Did you mean schema/ });
    assert.match(at("channel_binding=require&connection_limit=5").url, /channel_binding=require&connection_limit=5/);
  });

  test("knows libpq's modes of encryption but those that fall back", () => {
    for (const mode of ["disable", "require", "verify-ca", "verify-full"])
      assert.match(at(`sslmode=${mode}`).url, new RegExp(`sslmode=${mode}&uselibpqcompat=true`));
    for (const mode of ["prefer", "allow", "nonsense"])
      assert.throws(() => at(`sslmode=${mode}`), { code: "options-invalid", message: /sslmode/ });
  });
});
