import { type FormEvent, useEffect, useState } from "react";
import { clientFor, sentenceOf } from "../lib/data.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/field.tsx";
import { Wheel } from "../ui/icon.tsx";

/** The key goes once over the wire and into a cookie that no script can read. */
export function SignIn({ onDone }: { onDone: () => void }) {
  const [key, setKey] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "Sign in · Millrace";
  }, []);
  const signIn = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await clientFor().session.signIn(key.trim());
      onDone();
    } catch (reason) {
      setError(sentenceOf(reason).replace(/ Send it as .*$/, " Check it for missing characters."));
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form className="panel" onSubmit={(event) => void signIn(event)}>
        <h1 className="brand">
          <Wheel /> Millrace
        </h1>
        <Input
          label="Key"
          type="password"
          name="key"
          autoComplete="current-password"
          required
          autoFocus
          value={key}
          error={error}
          hint="The server's API_KEY, or a key from millrace keys create."
          onChange={(event) => setKey(event.target.value)}
        />
        <Button look="primary" submits busy={busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
