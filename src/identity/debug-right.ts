// Refuses debug mode to whoever may not run working copies.
import { ExecutorError } from "../core/errors.ts"
import type { Access } from "./access.ts"

export function requireDebug({ mayDebug, principal }: Pick<Access, "mayDebug" | "principal">): void {
  if (mayDebug) return
  const message =
    principal.kind === "agent"
      ? "This token may not run in debug mode; leave out mode, or have a human with the right 'registry.write' make a token with debug: true"
      : "To run in debug mode you need the right 'registry.write'; leave out mode, or ask an admin for it"
  throw new ExecutorError("forbidden", message)
}
