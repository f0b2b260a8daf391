// MCP servers from npm, as their users run them: as programs, and over HTTP.
import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { join } from "node:path"
import { listen } from "./listen.ts"

const packages = join(import.meta.dirname, "..", "..", "node_modules", "@modelcontextprotocol")

export type ServerName = "everything" | "filesystem" | "memory" | "sequential-thinking"

/** The config with which an integration starts one. */
export const stdioConfig = (name: ServerName, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => ({
  transport: "stdio",
  command: process.execPath,
  args: [join(packages, `server-${name}`, "dist", "index.js"), ...args],
  env,
})

export type HttpServer = { readonly url: string; readonly pid: number; kill(): Promise<void> }

/** `server-everything` over HTTP: `/mcp` on streamable HTTP, `/sse` on the transport before it. */
export async function startEverything(wire: "streamableHttp" | "sse", givenPort?: number): Promise<HttpServer> {
  const port = givenPort ?? (await freePort())
  const program = join(packages, "server-everything", "dist", "index.js")
  const child = spawn(process.execPath, [program, wire], {
    env: { PATH: process.env["PATH"], PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  })
  await new Promise<void>((resolve, reject) => {
    let text = ""
    child.stderr.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      if (/on port \d+/.test(text)) resolve()
    })
    child.once("exit", () => reject(new Error(`server-everything ended: ${text}`)))
  })
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  return {
    url: `http://127.0.0.1:${port}/${wire === "sse" ? "sse" : "mcp"}`,
    pid: child.pid ?? 0,
    async kill() {
      child.kill("SIGKILL")
      await exited
    },
  }
}

export async function freePort(): Promise<number> {
  const held = await listen(createServer())
  await held.close()
  return held.port
}
