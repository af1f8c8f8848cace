import { type FormEvent, useState } from "react";
import type { SavedView } from "../../src/client/index.ts";
import { useAct, useLiveQuery, useMay } from "../lib/data.ts";
import { navigate, usePageAddress } from "../lib/router.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Select } from "../ui/field.tsx";

/** Opens a saved view, saves what is shown under a name, and deletes the one that is shown. */
export function SavedViews() {
  const may = useMay();
  const { path, search } = usePageAddress();
  const [saves, setSaves] = useState(false);
  const views = useLiveQuery<SavedView[]>({
    key: ["views"],
    load: (client, signal) => client.views.list({ signal }),
    concerns: NEVER,
  });
  const here = path + search;
  const all = views.data ?? [];
  const shown = all.find((view) => view.path === here);
  const remove = useAct<string, void>({
    run: (client, name) => client.views.remove(name),
    done: (_, name) => `The view ${name} is deleted.`,
    after: () => void views.refetch(),
  });
  return (
    <>
      {all.length > 0 && (
        <Select
          label="Saved views"
          labelHidden
          value={shown?.name ?? ""}
          options={[["", "Saved views"], ...all.map(({ name }) => [name, name] as const)]}
          onChange={({ target }) => {
            const view = all.find(({ name }) => name === target.value);
            if (view) navigate(view.path);
          }}
        />
      )}
      {may("submit") &&
        (shown ? (
          <Button busy={remove.isPending} onClick={() => remove.mutate(shown.name)} aria-label={`Delete ${shown.name}`}>
            Delete view
          </Button>
        ) : (
          search !== "" && <Button onClick={() => setSaves(true)}>Save view…</Button>
        ))}
      {saves && (
        <SaveDialog
          path={here}
          onClose={() => setSaves(false)}
          onSaved={() => {
            setSaves(false);
            void views.refetch();
          }}
        />
      )}
    </>
  );
}

const NEVER = () => false;

interface SaveProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function SaveDialog({ path, onClose, onSaved }: SaveProps) {
  const [name, setName] = useState("");
  const save = useAct<void, SavedView>({
    run: (client) => client.views.put(name.trim(), path),
    done: () => `The view ${name.trim()} is saved.`,
    after: onSaved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") save.mutate();
  };
  return (
    <Dialog
      title="Save this view"
      error={save.error}
      onClose={onClose}
      actions={
        <Button look="primary" busy={save.isPending} disabled={name.trim() === ""} onClick={() => save.mutate()}>
          Save
        </Button>
      }
    >
      <form onSubmit={submit}>
        <Input
          label="Name"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint="A view of the same name is replaced. Everyone of your tenant sees it."
        />
      </form>
    </Dialog>
  );
}
