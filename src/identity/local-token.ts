// The local human's token: one line in the data directory, created on first start.
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { localTenant, localUser } from "../core/principal.ts"
import { adminRole } from "../core/people/role.ts"
import { readOrCreate } from "../io/private-file.ts"
import type { Clock } from "../io/clock.ts"
import { sha256 } from "../io/ids.ts"
import type { Store } from "../store/store.ts"
import { newToken } from "./token-create.ts"

const owner = { tenant: localTenant, user: localUser }

export const localTokenPath = (dataDir: string): string => join(dataDir, "token")

export const ensureLocalUser = (store: Store): Promise<void> =>
  store.tenants.ensure({ tenant: localTenant, id: localUser, name: "Local user", roles: [adminRole] })

/** A token in the file that the store does not know was revoked, or belongs to another store: a new one takes its place. */
export async function ensureLocalToken(dataDir: string, store: Store, clock: Clock): Promise<string> {
  await ensureLocalUser(store)
  const path = localTokenPath(dataDir)
  const fresh = newToken(owner, { name: "local", kind: "human", elicitation: ["browser", "native", "model"] }, clock)
  const text = readOrCreate(path, () => `${fresh.token}\n`).trim()
  if (text !== fresh.token) {
    const known = await store.tokens.findByHash(sha256(text))
    if (known !== null) return text
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, `${fresh.token}\n`, { mode: 0o600, flush: true })
    renameSync(draft, path)
  }
  await store.tokens.put(fresh.row)
  return fresh.token
}
