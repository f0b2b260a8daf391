#!/usr/bin/env node
// Starts the command line on a Node.js that is new enough: this one, or the one that the clone brought along.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const major = Number(process.versions.node.split(".")[0])

if (major >= 24) await run()
else continueOn(bundledNode())

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
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}
