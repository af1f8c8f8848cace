import { useSyncExternalStore } from "react";
import { currentMessages, dismiss, onMessages } from "../lib/messages.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

export function Messages() {
  const messages = useSyncExternalStore(onMessages, currentMessages);
  return (
    <div className="messages" role="status" aria-live="polite">
      {messages.map(({ id, text, tone }) => (
        <div key={id} className={`message ${tone}`}>
          <Icon name={tone === "good" ? "check" : "warning"} />
          <p>{text}</p>
          <Button look="quiet" icon="close" aria-label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
