// The vault's key: the same for everybody who starts on one directory, private, and never half-written.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { spawn } from "node:child_process"
import { expect, onTestFinished, test } from "vitest"
import { keyFromDirectory, keyFromText } from "./secret-key.ts"

test("hex, base64 and passphrases give 32 bytes, the same each time", () => {
  const bytes = Buffer.alloc(32, 7)
  expect(Buffer.from(keyFromText(bytes.toString("hex")))).toEqual(bytes)
  expect(Buffer.from(keyFromText(`${bytes.toString("base64")}\n`))).toEqual(bytes)
  const derived = keyFromText("correct horse battery staple")
  expect(derived.byteLength).toBe(32)
  expect(keyFromText("correct horse battery staple")).toEqual(derived)
})

test("a short key is refused", () => {
  expect(() => keyFromText("secret")).toThrow("EXECUTOR_SECRET_KEY is too short: use 32 random bytes, e.g. from `openssl rand")
})

test("a file with a short key is named", () => {
  const directory = mkdtempSync(join(tmpdir(), "executor-key-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, "secret.key"), "cut")
  expect(() => keyFromDirectory(directory)).toThrow(`The key in ${join(directory, "secret.key")} is too short`)
})

test("ten processes that start at once agree on one key, which only its owner may read", async () => {
  const directory = mkdtempSync(join(tmpdir(), "executor-key-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const script = `import { keyFromDirectory } from ${JSON.stringify(join(import.meta.dirname, "secret-key.ts"))}; process.stdout.write(Buffer.from(keyFromDirectory(${JSON.stringify(directory)})).toString("hex"))`
  const keys = await Promise.all(Array.from({ length: 10 }, () => output(script)))
  expect(new Set(keys)).toEqual(new Set([Buffer.from(keyFromDirectory(directory)).toString("hex")]))
  expect(statSync(join(directory, "secret.key")).mode & 0o777).toBe(0o600)
})

function output(script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script])
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()))
    child.on("error", reject)
    // Not at its exit: what it wrote may still be on the way.
    child.on("close", () => resolve(text))
  })
}
