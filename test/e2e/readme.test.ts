// README.md, followed to the letter in a fresh copy of the repository, with a home that is empty.
//
// What is installed already is linked in; with EXECUTOR_README_FULL=1 it runs `npm ci` itself, which needs the registry.
import { execFile, execFileSync, spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, expect, test } from "vitest"
import { readCommandBlocks, readSnippets } from "./doc-blocks.ts"
import { followDocument, readDocument } from "./doc-run.ts"
import type { Reader, Typed } from "./doc-run.ts"
import { startModelServer } from "../servers/model.ts"
import type { ModelServer } from "../servers/model.ts"

const root = join(import.meta.dirname, "..", "..")
const readme = readDocument(root, "README.md")
const blocks = readCommandBlocks(readme)
const isFull = process.env["EXECUTOR_README_FULL"] !== undefined

const scratch = mkdtempSync(join(tmpdir(), "executor-readme-"))
const clone = join(scratch, "executor")
const home = join(scratch, "home")
const path = process.env["PATH"] ?? ""
/** It installs and builds, on machines that do other things as well. */
const startMs = isFull ? 900_000 : 300_000
const followMs = 180_000
const started: ChildProcess[] = []

type Running = { readonly url: string; output(): string }
let server: Running
let model: ModelServer
let reader: Reader
let startedMs: number

beforeAll(async () => {
  mkdirSync(home)
  copyTracked()
  startedMs = performance.now()
  if (isFull) execFileSync("npm", ["ci"], { cwd: clone, env: { PATH: path, HOME: home }, stdio: "ignore" })
  else symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
  // The usual ports may be taken on a machine that runs tests.
  server = await start("npm", ["start"], { EXECUTOR_PORT: "0" })
  const shop = await start("./executor", ["demo", "--api", "--port", "0"], {})
  const named = server.url.replace("127.0.0.1", "localhost")
  model = await startModelServer(() => ({ text: "Order 2 is open." }), { models: ["qwen3"] })
  const addresses = {
    "http://127.0.0.1:4788": server.url,
    "http://localhost:4788": named,
    "http://127.0.0.1:4790": shop.url,
    "http://127.0.0.1:11434": model.url,
  }
  reader = { cwd: clone, home, path, addresses }
}, startMs)
afterAll(async () => {
  for (const child of started) await end(child)
  await model.close()
  rmSync(scratch, { recursive: true, force: true })
})

function copyTracked(): void {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  for (const name of listed.split("\n").filter((one) => one !== "" && existsSync(join(root, one)))) {
    mkdirSync(dirname(join(clone, name)), { recursive: true })
    cpSync(join(root, name), join(clone, name))
  }
}

function start(command: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Running> {
  const child = spawn(command, args, { cwd: clone, env: { PATH: path, HOME: home, ...env }, detached: true })
  started.push(child)
  let text = ""
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      const url = text.match(/running at (http:\S+)/)?.[1]
      if (url !== undefined && text.includes("Ctrl-C")) resolve({ url, output: () => text })
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`${command} ended with ${code} before it was ready:\n${text}`)))
  })
}

/** npm runs it in a shell, so the whole group is told. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const exited = new Promise((resolve) => child.once("exit", resolve))
  process.kill(-child.pid, "SIGTERM")
  await exited
}

const follow = (part: (commands: string) => boolean): Promise<Typed[]> =>
  followDocument(
    blocks.filter((block) => part(block.commands)),
    reader,
  )

test(
  "what `npm start` prints is what README says, and works as printed",
  async () => {
    const printed = server.output()
    expect(printed).toMatch(/Building Executor[^]*is running at/)
    expect(printed).toContain(join(home, ".local", "share", "executor", "token"))
    const commands = printed.slice(printed.indexOf("  ./executor integrations add"), printed.indexOf("Press Ctrl-C to stop"))
    const [typed] = await followDocument([{ kind: "run", line: 0, commands, printed: [], exitCodes: [0] }], reader)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    process.stdout.write(`README: ${seconds} s from ${isFull ? "npm ci" : "npm start"} to the first tool call\n`)
    expect(typed?.output).toContain('"name": "Green tea"')
    expect(readdirSync(clone)).not.toContain("restock.ts")
  },
  followMs,
)

test(
  "every command of README does what it says",
  async () => {
    await followDocument(
      [{ kind: "run", line: 0, commands: "./executor integrations remove shop --yes", printed: [], exitCodes: [0] }],
      reader,
    )
    const typed = await follow(() => true)
    const outputs = typed.map((one) => one.output).join("\n")
    expect(outputs).toContain("That's the tour.")
    expect(outputs).toMatch(/"status":"completed","text":.*Green tea/)
  },
  followMs,
)

test("README's config of an agent starts Executor wherever the agent runs", async () => {
  const [config = ""] = readSnippets(readme, "json")
  const { mcpServers } = JSON.parse(config.replace("/path/to/executor", clone)) as {
    mcpServers: { executor: { command: string; args: string[] } }
  }
  const client = new Client({ name: "reader", version: "1" })
  await client.connect(new StdioClientTransport({ ...mcpServers.executor, cwd: home, env: { PATH: path, HOME: home }, stderr: "ignore" }))
  try {
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["execute", "resume"])
    const code = "return (await tools.shop.products.list({ stockMax: 5 }).unwrap())[0].name"
    const answer = await client.callTool({ name: "execute", arguments: { code } })
    expect(JSON.stringify(answer.content)).toContain("Green tea")
  } finally {
    await client.close()
  }
})

test(
  "README's program runs in the clone as it is written, and ends by itself",
  async () => {
    const [program = ""] = readSnippets(readme, "ts")
    writeFileSync(join(clone, "readme.ts"), program)
    const node = join(clone, "node_modules", ".bin", "node")
    const { stdout } = await promisify(execFile)(node, ["readme.ts"], { cwd: clone, env: { PATH: path, HOME: home } })
    expect(stdout).toBe("4 true completed\n")
  },
  followMs,
)

test("the commands that are not run are those of other programs", () => {
  for (const block of blocks.filter((one) => one.kind === "no-run")) expect(block.commands).not.toMatch(/^\.\/executor (?!connect )|^curl/m)
  expect(blocks.length).toBeGreaterThan(8)
})
