// Which certificates are taken, what is said of others, and which changes are noticed.
import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { makeAuthority } from "../../test/servers/certificate.ts"
import { readTlsPair, watchTlsFiles } from "./tls-files.ts"

const folder = mkdtempSync(join(tmpdir(), "executor-tls-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const authority = makeAuthority()
const good = authority.issue(["executor.example", "127.0.0.1", "*.executor.example"])
const now = new Date()

let count = 0
function write(text: string): string {
  const path = join(folder, `${count++}.pem`)
  writeFileSync(path, text)
  return path
}
const read = (cert: string, key: string) => readTlsPair({ certPath: write(cert), keyPath: write(key) }, now)

test("a pair is taken with its chain, and tells its names and its end", () => {
  const pair = read(good.cert + authority.cert, good.key)
  expect(pair).toMatchObject({ cert: good.cert + authority.cert, names: ["executor.example", "127.0.0.1", "*.executor.example"] })
  expect(pair.validTo.getTime()).toBeGreaterThan(now.getTime())
})

test.each([
  ["expired", { to: new Date("2020-01-02T00:00:00Z") }, "expired on 2020-01-02; renew it"],
  ["not valid yet", { from: new Date("2999-01-02T00:00:00Z"), to: new Date("2999-02-02T00:00:00Z") }, "not valid before 2999-01-02"],
])("%s", (_, validity, message) => {
  const { cert, key } = authority.issue(["a.example"], validity)
  expect(() => read(cert, key)).toThrow(message)
})

test.each([
  ["the key of another", () => read(good.cert, authority.key), "does not belong to the certificate"],
  ["a chain in the wrong order", () => read(authority.cert + good.cert, good.key), "own certificate must come first"],
  ["no certificate", () => read("hello", good.key), "EXECUTOR_TLS_CERT (--tls-cert)"],
  ["files exchanged", () => read(good.key, good.cert), "holds no PEM certificate"],
  ["no key", () => read(good.cert, "hello"), "EXECUTOR_TLS_KEY (--tls-key)"],
  ["an empty key", () => read(good.cert, ""), "holds no PEM private key"],
  ["a locked key", () => read(good.cert, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----"), "passphrase"],
  [
    "a file that is missing",
    () => readTlsPair({ certPath: "/nowhere.pem", keyPath: "/nowhere.key" }, now),
    "there is no file /nowhere.pem",
  ],
  ["a folder", () => readTlsPair({ certPath: folder, keyPath: folder }, now), "cannot be read (EISDIR)"],
])("%s is refused", (_, attempt, message) => {
  expect(attempt).toThrow(message)
})

test.skipIf(process.getuid?.() === 0)("a file of somebody else is named", () => {
  const path = write(good.cert)
  chmodSync(path, 0o000)
  expect(() => readTlsPair({ certPath: path, keyPath: path }, now)).toThrow("is not allowed to read")
})

test("a link that is moved to another file is noticed", async () => {
  const link = join(folder, "live.pem")
  symlinkSync(write(good.cert), link)
  const files = { certPath: link, keyPath: write(good.key) }
  const changed = Promise.withResolvers<void>()
  const stop = watchTlsFiles(files, 20, () => changed.resolve())
  const draft = join(folder, "draft.pem")
  symlinkSync(write(authority.issue(["b.example"]).cert), draft)
  renameSync(draft, link)
  await changed.promise
  stop()
})
