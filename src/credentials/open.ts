// Turns a connection's stored values into the credential of one call.
import type { Credential, Placement } from "../core/auth.ts"
import { isSecretUserName } from "../core/secret-variable.ts"
import type { Scope } from "../core/principal.ts"
import { fillPlacements } from "./placement.ts"
import { formsOf } from "./redact.ts"
import { resolveEnv } from "./env/reference.ts"
import type { EnvAccess } from "./env/reference.ts"
import type { Vault } from "./vault.ts"

export type CredentialSource = {
  readonly ref: string
  readonly placements: readonly Placement[]
  readonly origins: readonly string[]
}

/** Null when the placements need values and none are stored. */
export async function openCredential(scope: Scope, source: CredentialSource, vault: Vault, env: EnvAccess): Promise<Credential | null> {
  if (source.placements.length === 0) return { placements: [], origins: source.origins, secrets: [] }
  const stored = await vault.open(scope, source.ref)
  if (stored === null) return null
  const values = Object.fromEntries(Object.entries(stored).map(([name, text]) => [name, resolveEnv(text, env)]))
  const placements = fillPlacements(source.placements, values)
  // A plain user name is no secret, and replacing it would mangle ordinary answers.
  const isPlain = (name: string): boolean => name === "username" && !isSecretUserName(values["password"] ?? "")
  const hidden = Object.entries(values).filter(([name]) => !isPlain(name))
  const secrets = [...hidden.map(([, text]) => text), ...placements.map((placement) => placement.value)]
  return { placements, origins: source.origins, secrets: [...new Set(secrets.flatMap(formsOf))] }
}
