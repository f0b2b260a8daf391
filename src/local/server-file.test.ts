// Servers of one data directory: the newest is found, and one that ends leaves the others to be found.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { addToServerFile, readServerFile } from "./server-file.ts"

let dataDir: string
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), "executor-note-"))))
afterEach(() => rmSync(dataDir, { recursive: true }))

const found = (): string | undefined => readServerFile(dataDir)?.origin

test("the newest is found, and the one before it when it ends", () => {
  const first = addToServerFile(dataDir, "http://127.0.0.1:1")
  expect(first.others).toEqual([])
  const second = addToServerFile(dataDir, "http://127.0.0.1:2")
  expect(second.others).toEqual([{ origin: "http://127.0.0.1:1/api", pid: process.pid }])
  expect(found()).toBe("http://127.0.0.1:2/api")
  second.remove()
  expect(found()).toBe("http://127.0.0.1:1/api")
  first.remove()
  expect(readdirSync(dataDir)).toEqual([])
})

test("servers that end in any order leave the others", () => {
  const [first, second, third] = [1, 2, 3].map((port) => addToServerFile(dataDir, `http://127.0.0.1:${port}`))
  second?.remove()
  expect(found()).toBe("http://127.0.0.1:3/api")
  third?.remove()
  expect(found()).toBe("http://127.0.0.1:1/api")
  first?.remove()
  expect(found()).toBeUndefined()
})

test("one that died is passed over", async () => {
  const child = spawn(process.execPath, ["-e", ""])
  await once(child, "exit")
  const others = [{ origin: "http://127.0.0.1:1/api", pid: process.pid }]
  writeFileSync(join(dataDir, "server.json"), JSON.stringify({ origin: "http://127.0.0.1:2/api", pid: child.pid, others }))
  expect(found()).toBe("http://127.0.0.1:1/api")
})

test.each(["", "null", "[]", "7", '{"origin":1,"pid":1}', '{"others":[null,1,{"pid":"x"}]}', '{"origin":"x","pid":-1}'])(
  "%s is no note, and no reason to fail",
  (text) => {
    writeFileSync(join(dataDir, "server.json"), text)
    expect(found()).toBeUndefined()
    addToServerFile(dataDir, "http://127.0.0.1:1").remove()
    expect(readdirSync(dataDir)).toEqual([])
  },
)
