// Manages the passkeys of the acting human.
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import type { PasskeyView } from "../../core/people/passkey.ts"
import type { Principal } from "../../core/principal.ts"
import type { PasskeyRow } from "../../store/passkey-store.ts"
import type { Store } from "../../store/store.ts"
import { requireHuman } from "../people/people.ts"

type OwnParts = { readonly store: Store; readonly limits: Limits }

export async function listPasskeys(principal: Principal, { store }: OwnParts): Promise<PasskeyView[]> {
  requireHuman(principal, "list passkeys")
  return (await store.passkeys.list(principal)).map(viewPasskey)
}

export async function renamePasskey(principal: Principal, id: string, name: string, { store, limits }: OwnParts): Promise<PasskeyView> {
  requireHuman(principal, "rename passkeys")
  const isFound = await store.passkeys.rename(principal, id, checkPasskeyName(name, limits))
  const row = isFound ? (await store.passkeys.list(principal)).find((one) => one.id === id) : undefined
  if (row === undefined) throw noPasskey(id)
  return viewPasskey(row)
}

export async function removePasskey(principal: Principal, id: string, { store }: OwnParts): Promise<PasskeyView> {
  requireHuman(principal, "remove passkeys")
  const row = (await store.passkeys.list(principal)).find((one) => one.id === id)
  if (row === undefined || !(await store.passkeys.remove(principal, id))) throw noPasskey(id)
  return viewPasskey(row)
}

export function checkPasskeyName(text: string, limits: Limits): string {
  const name = text.trim()
  if (name === "" || name.length > limits.nameCharsMax || /\p{C}/u.test(name))
    throw new ExecutorError("invalid_request", `The name of a passkey must have 1 to ${limits.nameCharsMax} characters on one line`)
  return name
}

const noPasskey = (id: string): ExecutorError => new ExecutorError("not_found", `There is no passkey '${id.slice(0, 80)}'`)

export const viewPasskey = ({ id, name, createdAt, lastUsedAt, isSynced }: PasskeyRow): PasskeyView => ({
  id,
  name,
  createdAt,
  lastUsedAt,
  isSynced,
})
