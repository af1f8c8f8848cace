import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon, type IconName, type IconPath } from "./icon.tsx";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> {
  readonly look?: "plain" | "primary" | "danger" | "quiet";
  readonly icon?: IconName | IconPath;
  readonly busy?: boolean;
  readonly submits?: boolean;
  readonly children?: ReactNode;
}

/** A button, with an icon and a busy state if wanted. */
export function Button({
  look = "plain",
  icon,
  busy = false,
  submits = false,
  children,
  className = "",
  ...rest
}: Props) {
  return (
    <button
      type={submits ? "submit" : "button"}
      className={`button ${look} ${children === undefined ? "bare" : ""} ${className}`}
      aria-busy={busy || undefined}
      {...rest}
      disabled={rest.disabled || busy}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
