// The certificate and the key with which the server speaks TLS: read, checked, and read again when they change.
import { createPrivateKey, X509Certificate } from "node:crypto"
import type { KeyObject } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { ExecutorError } from "../core/errors.ts"

export type TlsFiles = { readonly certPath: string; readonly keyPath: string }

export type TlsPair = {
  /** PEM; what follows the server's own certificate leads to its issuer. */
  readonly cert: string
  readonly key: string
  /** The host names and addresses that the certificate is for, in its order. */
  readonly names: readonly string[]
  readonly validTo: Date
}

const certSetting = "EXECUTOR_TLS_CERT (--tls-cert)"
const keySetting = "EXECUTOR_TLS_KEY (--tls-key)"

/** Throws an `ExecutorError` that says which file is wrong, and what to do. */
export function readTlsPair({ certPath, keyPath }: TlsFiles, now: Date): TlsPair {
  const cert = readText(certPath, certSetting)
  const key = readText(keyPath, keySetting)
  const certificate = parseCertificate(cert, certPath)
  const isPair = certificate.checkPrivateKey(parseKey(key, keyPath))
  if (!isPair)
    throw invalid(`The key in ${keyPath} does not belong to the certificate in ${certPath}; the server's own certificate must come first`)
  if (certificate.validToDate <= now)
    throw invalid(`The certificate in ${certPath} expired on ${day(certificate.validToDate)}; renew it, then start again`)
  if (certificate.validFromDate > now)
    throw invalid(`The certificate in ${certPath} is not valid before ${day(certificate.validFromDate)}; check the clock of this machine`)
  return { cert, key, names: namesOf(certificate), validTo: certificate.validToDate }
}

/**
 * Looks at both files from time to time, which also notices links that are moved to other files, as renewal programs do.
 * A change of one file may come before the other's: whoever is told tries again at the next one.
 */
export function watchTlsFiles(files: TlsFiles, everyMs: number, onChange: () => void): () => void {
  let seen = stateOf(files)
  const look = setInterval(() => {
    const state = stateOf(files)
    if (state === seen) return
    seen = state
    onChange()
  }, everyMs)
  look.unref()
  return () => clearInterval(look)
}

const stateOf = ({ certPath, keyPath }: TlsFiles): string =>
  [certPath, keyPath]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? "none" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`))
    .join(", ")

function readText(path: string, setting: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // what the file system throws
    if (code === "ENOENT") throw invalid(`${setting}: there is no file ${path}`)
    if (code === "EACCES" || code === "EPERM") throw invalid(`${setting}: this user is not allowed to read ${path}`)
    throw invalid(`${setting}: ${path} cannot be read (${code})`)
  }
}

function parseCertificate(text: string, path: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw invalid(`${certSetting}: ${path} holds no PEM certificate; it must begin with -----BEGIN CERTIFICATE-----`)
  }
}

function parseKey(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch {
    const isLocked = /ENCRYPTED/.test(text)
    throw invalid(
      isLocked
        ? `${keySetting}: the key in ${path} is protected by a passphrase; store it without one, readable by this user only`
        : `${keySetting}: ${path} holds no PEM private key; it must begin with -----BEGIN PRIVATE KEY----- or similar`,
    )
  }
}

/** `DNS:a.example, IP Address:192.0.2.1`; names that would need quotes are nobody's host. */
const namesOf = ({ subjectAltName = "" }: X509Certificate): string[] =>
  subjectAltName.split(", ").flatMap((entry) => /^(?:DNS|IP Address):([\w.:*-]+)$/.exec(entry)?.[1] ?? [])

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)

const day = (date: Date): string => date.toISOString().slice(0, 10)
