// Starts the real server as a child process, as a user would, in a data directory of its own.
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"

const root = join(import.meta.dirname, "..", "..")
/** What is built, when the whole suite runs; the sources themselves, when one file does. */
const entry = process.env["EXECUTOR_TEST_BUILT"] === undefined ? "src/surfaces/cli/main.ts" : "dist/surfaces/cli/main.js"

export type Product = {
  readonly url: string
  /** Where people go. */
  readonly pagesUrl: string
  readonly dataDir: string
  readonly token: string
  readonly client: Client
  readonly pid: number
  /** Everything it wrote to stdout and stderr so far. */
  output(): string
  /** With a token, and the body as JSON. */
  request(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: unknown; headers: Headers }>
  kill(signal: NodeJS.Signals): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export type ProductOptions = {
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
}

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "executor-e2e-"))
  const script = `const { main } = await import(${JSON.stringify(join(root, entry))}); await main(["serve", "--port", "0", ...${JSON.stringify(options.args ?? [])}])`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"], HOME: dataDir, EXECUTOR_DATA_DIR: dataDir, EXECUTOR_LOG: "warn", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const { url, pagesUrl, output } = await untilReady(child)
  const token = readFileSync(join(dataDir, "token"), "utf8").trim()
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once("exit", resolve))
    child.kill(signal)
    await exited
  }
  return {
    url,
    pagesUrl,
    dataDir,
    token,
    client: createClient({ origin: `${url}/api`, token }),
    pid: child.pid ?? 0,
    output,
    async request(method, path, body, as = token) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${as}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === "" ? null : (JSON.parse(text) as unknown) }
    },
    kill,
    async stop() {
      await kill("SIGTERM")
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function untilReady(child: ChildProcess): Promise<{ url: string; pagesUrl: string; output(): string }> {
  let text = ""
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      const url = text.match(/is running at (https?:\S+)/)?.[1]
      const pagesUrl = text.match(/approvals +(\S+)\/approve/)?.[1]
      if (url !== undefined && pagesUrl !== undefined && text.includes("Ctrl-C")) resolve({ url, pagesUrl, output: () => text })
    }
    child.stdout?.on("data", read)
    child.stderr?.on("data", read)
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`The server ended with ${code} before it was ready:\n${text}`)))
  })
}
