// Types the commands of a document into a shell, one block after the other, as a reader would.
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { fillIds, missingLine } from "./doc-blocks.ts"
import type { CommandBlock } from "./doc-blocks.ts"

export type Reader = {
  /** Where they type. */
  readonly cwd: string
  readonly home: string
  readonly path: string
  /** The addresses in the text, and where those servers really are. */
  readonly addresses: Readonly<Record<string, string>>
}

/** What a test started already, because it goes on until it is stopped. */
const longRunning = new Set(["npm ci && npm start", "npm start", "./executor serve", "./executor demo --api"])

export type Typed = { readonly output: string; readonly code: number | null }

/** Runs the blocks in order; what is exported in one is there in the next. */
export async function followDocument(blocks: readonly CommandBlock[], reader: Reader): Promise<Typed[]> {
  const typed: Typed[] = []
  for (const block of blocks) {
    if (block.kind === "no-run" || longRunning.has(block.commands.trim())) continue
    const one = await type(fillIds(block.commands, typed.map((each) => each.output).join("\n")), reader)
    typed.push(one)
    const where = `line ${block.line}: ${block.commands}\nprinted:\n${one.output}`
    expect(block.exitCodes.includes(one.code ?? -1), `exit code ${one.code} at ${where}`).toBe(true)
    expect(missingLine(block.printed, one.output), `not printed at ${where}`).toBe(null)
  }
  return typed
}

async function type(commands: string, reader: Reader): Promise<Typed> {
  const carried = join(reader.home, ".exported")
  const there = Object.entries(reader.addresses).reduce((text, [from, to]) => text.replaceAll(from, to), commands)
  const script = `[ ! -e '${carried}' ] || . '${carried}'\nset -euo pipefail\ntrap 'export -p > "${carried}"' EXIT\nexec 2>&1\n${there}`
  const file = join(reader.home, ".script.sh")
  writeFileSync(file, script)
  const env = { PATH: reader.path, HOME: reader.home, NO_UPDATE_NOTIFIER: "1", npm_config_update_notifier: "false" }
  const { output, code } = await collect(file, reader.cwd, env)
  return { output: Object.entries(reader.addresses).reduce((text, [to, from]) => text.replaceAll(from, to), output), code }
}

function collect(file: string, cwd: string, env: Record<string, string>): Promise<Typed> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["--norc", file], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk))
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output += chunk))
    child.on("error", reject)
    child.on("close", (code) => resolve({ output, code }))
  })
}

export const readDocument = (root: string, path: string): string => readFileSync(join(root, path), "utf8")
