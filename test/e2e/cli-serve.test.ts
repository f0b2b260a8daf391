// `executor serve` as it is typed: one process that has given V8 more room, keeps its number and its terminal, and ends when told.
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { startProduct } from "./product.ts"

const bin = join(import.meta.dirname, "..", "..", "bin", "executor.js")

function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-serve-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

type Serving = { readonly child: ChildProcess; readonly ready: Promise<string> }

function serve(flags: readonly string[] = [], dataDir = newDataDir(), port = "0"): Serving {
  const child = spawn(process.execPath, [...flags, bin, "serve", "--port", port], {
    env: { PATH: process.env["PATH"], HOME: dataDir, EXECUTOR_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const ready = new Promise<string>((resolve, reject) => {
    let text = ""
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      const url = /is running at (http:\S+)/.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on("data", read)
    child.stderr?.on("data", read)
    child.once("exit", () => reject(new Error(text)))
  })
  return { child, ready }
}

const commandLine = (child: ChildProcess): string => readFileSync(`/proc/${child.pid}/cmdline`, "utf8").replaceAll("\0", " ")

test("replaces itself by a process with more room for young objects", async () => {
  const { child, ready } = serve()
  const url = await ready
  expect(commandLine(child)).toContain("--max-semi-space-size=32")
  expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: "ok" })
  const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)))
  child.kill("SIGTERM")
  expect(await ended).toBe(0)
})

test("keeps what its user has chosen", async () => {
  const { child, ready } = serve(["--max-semi-space-size=8"])
  await ready
  expect(commandLine(child)).not.toContain("--max-semi-space-size=32")
})

test("a second one on the same data is refused with the address of the first; another port is another wish", async () => {
  const dataDir = newDataDir()
  const first = serve([], dataDir)
  const url = await first.ready
  for (const port of [new URL(url).port, "4788"]) {
    const second = serve([], dataDir, port)
    await expect(second.ready).rejects.toThrow(`Executor is already running on this data directory (pid ${first.child.pid}): ${url}`)
  }
  expect(await serve([], dataDir, "0").ready).not.toBe(url)
})

test("a public address without TLS is warned of", async () => {
  const product = await startProduct({ env: { EXECUTOR_PUBLIC_URL: "http://executor.example.com" } })
  await expect.poll(() => product.output()).toContain("Warning: EXECUTOR_PUBLIC_URL has no TLS")
  await product.stop()
})
