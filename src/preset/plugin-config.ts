// Loads `executor.config.ts`: from the data directory, or from where an operator says; never from the working directory.
import { existsSync, statSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { ExecutorError } from "../core/errors.ts"
import type { Plugin } from "../plugin/definition.ts"
import { resolveOwnPackage } from "./plugin-resolve.ts"

const names = ["executor.config.ts", "executor.config.mts", "executor.config.js", "executor.config.mjs"]

/** Empty where there is no such file. What is wrong with it is said, and nothing starts. */
export async function loadPlugins(dataDir: string, configPath: string | null): Promise<readonly Plugin[]> {
  const path = configPath === null ? findConfig(dataDir) : resolve(configPath)
  if (path === null) return []
  if (!existsSync(path)) throw broken(path, "there is no such file")
  checkOwner(path)
  const { default: config } = await importConfig(path)
  return readConfig(config, path)
}

function findConfig(dataDir: string): string | null {
  const found = names.map((name) => join(dataDir, name)).filter((path) => existsSync(path))
  if (found.length > 1)
    throw broken(found[0] ?? "", `${found.map((path) => basename(path)).join(" and ")} are both there; keep one of them`)
  return found[0] ?? null
}

/** It is run as this user: whoever may write it is this user. */
function checkOwner(path: string): void {
  if (process.platform === "win32" || (statSync(path).mode & 0o002) === 0) return
  throw broken(path, "everybody on this machine may write it, and so run code here; take that right away with chmod o-w")
}

async function importConfig(path: string): Promise<{ default?: unknown }> {
  const url = pathToFileURL(path).href
  const hooks = resolveOwnPackage(url)
  try {
    return (await import(url)) as { default?: unknown } // a module is an object
  } catch (error) {
    if (error instanceof ExecutorError) throw broken(path, error.message)
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw broken(path, reason.slice(0, 2000))
  } finally {
    hooks.release()
  }
}

function readConfig(config: unknown, path: string): readonly Plugin[] {
  if (typeof config !== "object" || config === null || Array.isArray(config))
    throw broken(path, "it must say `export default { plugins: [ … ] }`")
  const unknown = Object.keys(config).find((key) => key !== "plugins")
  if (unknown !== undefined) throw broken(path, `there is no setting '${unknown.slice(0, 80)}'; known is plugins`)
  const plugins = "plugins" in config ? config.plugins : []
  if (!Array.isArray(plugins)) throw broken(path, "plugins must be a list of what definePlugin gave")
  return plugins as Plugin[] // each is checked by `definePlugin` again
}

const broken = (path: string, reason: string): ExecutorError => new ExecutorError("invalid_request", `${path} cannot be used: ${reason}`)
