// Where the vault's key comes from: the environment, or a file created on first start.
import { randomBytes, scryptSync } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { ExecutorError } from "../../core/errors.ts"
import { readOrCreate } from "../../io/private-file.ts"

const keyBytes = 32
const passphraseCharsMin = 16

/** 32 bytes in hex or base64 are the key itself; any other text is a passphrase that the key is derived from. */
export function keyFromText(text: string, place = "EXECUTOR_SECRET_KEY"): Uint8Array {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, "hex")
  const decoded = Buffer.from(trimmed, "base64")
  if (decoded.byteLength === keyBytes && /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return decoded
  if (trimmed.length < passphraseCharsMin) {
    throw new ExecutorError("invalid_request", `${place} is too short: use 32 random bytes, e.g. from \`openssl rand -base64 32\``)
  }
  return scryptSync(trimmed, "executor/secret-key", keyBytes)
}

export function keyFromDirectory(directory: string): Uint8Array {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, "secret.key")
  const text = readOrCreate(path, () => `${randomBytes(keyBytes).toString("base64")}\n`)
  return keyFromText(text, `The key in ${path}`)
}
