// `${env:NAME}` instead of a stored value: the variable is read at the moment of the call.
import { ExecutorError } from "../../core/errors.ts"

export type EnvAccess = {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Names that may be read; `"all"` on a server that listens on loopback only. */
  readonly allow: "all" | readonly string[]
}

const reference = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g

export const hasEnvReference = (text: string): boolean => text.includes("${env:")

/** Throws where a variable may not be read or is not set: a call must not go out with an empty credential. */
export const resolveEnv = (text: string, access: EnvAccess): string =>
  hasEnvReference(text) ? text.replaceAll(reference, (_, name: string) => readVariable(name, access)) : text

/** Said when a reference is stored, so that it is not first noticed at a call. */
export function checkEnvReferences(text: string, access: EnvAccess): void {
  for (const match of text.matchAll(reference)) if (match[1] !== undefined) requireAllowed(match[1], access)
}

function readVariable(name: string, access: EnvAccess): string {
  requireAllowed(name, access)
  const value = access.variables[name]
  if (value === undefined || value === "") throw new ExecutorError("conflict", `The environment variable ${name} is not set on the server`)
  return value
}

function requireAllowed(name: string, access: EnvAccess): void {
  const allowed = !name.startsWith("EXECUTOR_") && (access.allow === "all" || access.allow.includes(name))
  if (!allowed)
    throw new ExecutorError(
      "forbidden",
      `The environment variable ${name} may not be read; EXECUTOR_ENV_ALLOW lists the variables that may`,
    )
}
