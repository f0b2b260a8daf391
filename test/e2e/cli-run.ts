// Runs the command line as a child process, as somebody at a shell would: by words, or as a script for bash.
import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..", "..")
/** What is built, when the whole suite runs; the sources themselves, when one file does. */
const entry = join(root, process.env["EXECUTOR_TEST_BUILT"] === undefined ? "src/surfaces/cli/main.ts" : "dist/surfaces/cli/main.js")

export type CliRun = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
export type CliOptions = { readonly stdin?: string; readonly env?: Readonly<Record<string, string>>; readonly cwd?: string }

export type Cli = {
  run(args: readonly string[], options?: CliOptions): Promise<CliRun>
  /** What it prints with `--json`. */
  json(args: readonly string[], options?: CliOptions): Promise<unknown>
  /** Commands for bash, in which `executor` is the command line. */
  type(script: string, options?: CliOptions): Promise<CliRun>
}

/** `dataDir`: where it finds the server and its token, or its own store. */
export function openCli(dataDir: string): Cli {
  const binDir = join(dataDir, "bin")
  mkdirSync(binDir, { recursive: true })
  writeFileSync(join(binDir, "main.mjs"), `const { main } = await import(${JSON.stringify(entry)}); await main(process.argv.slice(2))\n`)
  writeFileSync(join(binDir, "executor"), `#!/bin/sh\nexec '${process.execPath}' '${join(binDir, "main.mjs")}' "$@"\n`)
  chmodSync(join(binDir, "executor"), 0o755)
  const start = (command: string, args: readonly string[], options: CliOptions): Promise<CliRun> =>
    collect(command, args, {
      ...options,
      env: { PATH: `${binDir}:${process.env["PATH"] ?? ""}`, HOME: dataDir, EXECUTOR_DATA_DIR: dataDir, ...options.env },
    })
  const run: Cli["run"] = (args, options = {}) => start(process.execPath, [join(binDir, "main.mjs"), ...args], options)
  return {
    run,
    async json(args, options) {
      const { stdout, stderr } = await run([...args, "--json"], options)
      try {
        return JSON.parse(stdout) as unknown
      } catch {
        throw new Error(`${args.join(" ")} did not print JSON: ${stdout}\n${stderr}`)
      }
    },
    type: (script, options = {}) => start("bash", ["--norc", "-c", script], options),
  }
}

function collect(command: string, args: readonly string[], options: CliOptions): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd ?? tmpdir(), env: options.env, stdio: "pipe" })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    // A program that does not read what it is told may have closed its end already.
    child.stdin.on("error", () => {})
    child.stdin.end(options.stdin ?? "")
  })
}
