#!/usr/bin/env node
// Starts the command line on a Node.js that is new enough: this one, or the one that the clone brought along.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const major = Number(process.versions.node.split(".")[0])

/**
 * A server drops almost all that it makes within milliseconds. With more room for the young, fewer of them are still
 * alive when V8 cleans up; and with few arenas, what many threads freed is used again by others instead of being kept
 * by each (docs/decisions/0016-memory-after-a-rush.md). Both must be said before the process starts.
 */
const serverFlags =
  process.argv[2] === "serve" && !/semi-space/.test(process.execArgv.join() + process.env.NODE_OPTIONS) ? ["--max-semi-space-size=32"] : []
const serverEnv = { MALLOC_ARENA_MAX: "2", ...process.env }

if (major < 24) continueOn(bundledNode())
else if (serverFlags.length > 0 && typeof process.execve === "function") restart()
else await run()

/** The same process, with other flags. */
function restart() {
  const args = [process.execPath, ...process.execArgv, ...serverFlags, ...process.argv.slice(1)]
  process.execve(process.execPath, args, serverEnv)
}

async function run() {
  const built = join(root, "dist", "surfaces", "cli", "main.js")
  const entry = existsSync(built) ? built : join(root, "src", "surfaces", "cli", "main.ts")
  const { main } = await import(pathToFileURL(entry).href)
  await main(process.argv.slice(2))
}

function bundledNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-linux-${process.arch}/package.json`)
    return join(dirname(manifest), "bin", "node")
  } catch {
    return null
  }
}

function continueOn(node) {
  if (node === null || !existsSync(node)) {
    process.stderr.write(
      `executor needs Node.js 24 or newer; this is ${process.version}. Install it from https://nodejs.org and try again.\n`,
    )
    process.exit(1)
  }
  const child = spawn(node, [...serverFlags, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
    env: serverFlags.length > 0 ? serverEnv : process.env,
  })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}
