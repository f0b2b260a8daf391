// Starts the product, and the servers it is measured beside, as processes of their own.
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Agent, request } from "undici"

const root = join(import.meta.dirname, "..")
const dispatcher = new Agent({ connections: 128 })

export type Started = { readonly url: string; readonly pid: number; stop(): Promise<void> }

/** It must print its address. */
export async function startServer(args: readonly string[], env: Record<string, string> = {}): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const found = chunk.toString().match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended`)))
  })
  const stop = (): Promise<void> => {
    child.kill()
    return ended
  }
  return { url, pid: child.pid ?? 0, stop }
}

export type StartedProduct = Started & {
  readonly token: string
  get(path: string): Promise<unknown>
  post(path: string, body: unknown, token?: string): Promise<unknown>
}

/** With a data directory of its own, which goes with it. */
export async function startProduct(): Promise<StartedProduct> {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
  const started = await startServer(["bin/executor.js", "serve", "--port", "0"], { EXECUTOR_DATA_DIR: dataDir, EXECUTOR_LOG: "error" })
  const token = readFileSync(join(dataDir, "token"), "utf8").trim()
  return {
    ...started,
    token,
    get: (path) => send("GET", `${started.url}/api${path}`, undefined, token),
    post: (path, body, as = token) => send("POST", `${started.url}/api${path}`, body, as),
    async stop() {
      await started.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

export async function send(method: "GET" | "POST", url: string, body: unknown, token: string): Promise<unknown> {
  const response = await request(url, {
    method,
    dispatcher,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const answer: unknown = await response.body.json()
  if (response.statusCode >= 400) throw new Error(`${url}: ${JSON.stringify(answer)}`)
  return answer
}
