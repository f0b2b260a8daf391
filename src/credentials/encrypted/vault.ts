// A vault that keeps its ciphertext in the store, and its key outside of it.
//
// Sealed form: version byte, 12 bytes nonce, 16 bytes tag, ciphertext (AES-256-GCM). Tenant and reference are
// authenticated with it, so that a row moved to another place of the table does not open there.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { Scope } from "../../core/principal.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { SecretValues, VaultOn } from "../vault.ts"

const version = 1
const nonceBytes = 12
const tagBytes = 16
const headerBytes = 1 + nonceBytes + tagBytes

export const createEncryptedVault =
  (key: Uint8Array): VaultOn =>
  (store) => ({
    async open(scope, ref) {
      const sealed = await store.credentials.get(scope, ref)
      return sealed === null ? null : unseal(key, sealed, boundTo(scope, ref))
    },
    put: (scope, ref, values) => store.credentials.put(scope, ref, seal(key, values, boundTo(scope, ref))),
    drop: (scope, ref) => store.credentials.remove(scope, ref),
  })

const boundTo = (scope: Scope, ref: string): Buffer => Buffer.from(`${scope.tenant}\0${ref}`)

function seal(key: Uint8Array, values: SecretValues, aad: Buffer): Uint8Array {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", key, nonce)
  cipher.setAAD(aad)
  const text = Buffer.concat([cipher.update(JSON.stringify(values), "utf8"), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), text])
}

function unseal(key: Uint8Array, sealed: Uint8Array, aad: Buffer): SecretValues {
  if (sealed[0] !== version || sealed.byteLength < headerBytes) throw unopenable()
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 1 + nonceBytes))
  decipher.setAAD(aad)
  decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headerBytes))
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(headerBytes)), decipher.final()]).toString("utf8")
    return JSON.parse(text) as SecretValues // authenticated: nobody but `seal` wrote it
  } catch {
    throw unopenable()
  }
}

const unopenable = (): ExecutorError =>
  new ExecutorError(
    "conflict",
    "A stored credential cannot be decrypted with this secret key. Start with the EXECUTOR_SECRET_KEY (or the data directory's secret.key) it was stored with, or enter the credential again",
  )
