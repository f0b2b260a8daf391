// Runs the official conformance suite as its own program, and reads how each scenario went.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

export type SuiteRun = { readonly exitCode: number; readonly output: string }

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")
const { bin } = createRequire(import.meta.url)(manifest) as { bin: string | Record<string, string> } // its own manifest
export const suiteProgram = join(dirname(manifest), typeof bin === "string" ? bin : (Object.values(bin)[0] ?? ""))

export function runSuite(args: readonly string[]): Promise<SuiteRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suiteProgram, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    const read = (chunk: Buffer): void => void (output += chunk.toString())
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.once("error", reject)
    child.once("close", (code) => resolve({ exitCode: code ?? 1, output }))
  })
}
