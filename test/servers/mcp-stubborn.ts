// A stdio MCP server written by hand that behaves as badly as it is told: it ignores signals and the end of its input,
// starts a helper or a crowd of them, ends on questions that it does not know, crashes, floods, or says nothing at all.
import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"

const flags = new Set(process.argv.slice(2))
const startsFile = process.argv
  .slice(2)
  .find((flag) => flag.startsWith("starts="))
  ?.slice("starts=".length)
if (startsFile !== undefined) appendFileSync(startsFile, `${process.pid}\n`)

if (flags.has("stubborn")) {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {})
  setInterval(() => {}, 1000)
}
if (flags.has("helper")) spawn("sleep", ["987654"], { stdio: "inherit" }).unref()
// What has the lowest priority dies last.
if (flags.has("crowd")) spawn("nice", ["-n", "19", "sh", "-c", "for n in $(seq 100); do sleep 987654 & done; wait"], { stdio: "inherit" })
process.stderr.write(`starting with ${process.env["SECRET_TOKEN"] ?? "nothing"}\n`)

type Message = { readonly id?: number; readonly method?: string; readonly params?: Record<string, unknown> }

const send = (message: unknown): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...(message as object) })}\n`) // plain objects only
const answer = (id: number, result: unknown): void => send({ id, result })
const text = (words: string, isError = false) => ({ content: [{ type: "text", text: words }], ...(isError ? { isError } : {}) })

const tools = ["crash", "silent", "big", "env", "write", "chatty", "noise"].map((name) => ({
  name,
  description: `It will ${name}.`,
  inputSchema: { type: "object", properties: {} },
  annotations: name === "write" ? { destructiveHint: false } : { readOnlyHint: true },
}))

function callTool(id: number, name: string): void {
  switch (name) {
    case "crash":
    case "write":
      process.stderr.write(`fatal: cannot go on with ${process.env["SECRET_TOKEN"] ?? "nothing"}\n`)
      return process.exit(3)
    case "silent":
      return
    case "big":
      return answer(id, text("x".repeat(3_000_000)))
    case "env":
      return answer(id, text(JSON.stringify({ env: process.env, cwd: process.cwd() })))
    case "chatty":
      process.stdout.write("this is no JSON\n\n{ broken\n")
      return answer(id, text("said"))
    case "noise":
      for (let n = 0; n < 5000; n += 1) process.stderr.write(`noise ${n}\n`)
      return answer(id, text("noisy"))
    default:
      return answer(id, text(`There is no ${name}`, true))
  }
}

createInterface(process.stdin).on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as Message // what a client sends
  if (flags.has("mute") || id === undefined) return
  if (method === "initialize") {
    return answer(id, {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "stubborn", version: "1" },
    })
  }
  if (method === "tools/list") return answer(id, { tools })
  if (method === "tools/call") return callTool(id, String(params?.["name"]))
  if (flags.has("exit-on-probe")) process.exit(1)
  send({ id, error: { code: -32601, message: "Method not found" } })
})
