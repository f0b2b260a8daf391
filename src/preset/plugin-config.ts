// Loads `executor.config.ts` from the data directory or from where an operator says, never from the working directory.
import { existsSync, statSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { ExecutorError } from "../core/errors.ts"
import { definePlugin } from "../plugin/define.ts"
import type { Plugin } from "../plugin/definition.ts"
import { isDefined } from "../registry/functions/define.ts"
import type { DefinedFunctions } from "../registry/functions/define.ts"
import { resolveOwnPackage } from "./plugin-resolve.ts"

const names = ["executor.config.ts", "executor.config.mts", "executor.config.js", "executor.config.mjs"]

export type Config = { readonly plugins: readonly Plugin[]; readonly functions: readonly DefinedFunctions[] }

/** Empty where there is no such file. What is wrong with it is said, and nothing starts. */
export async function loadConfig(dataDir: string, configPath: string | null): Promise<Config> {
  const path = configPath === null ? findConfig(dataDir) : resolve(configPath)
  if (path === null) return { plugins: [], functions: [] }
  if (!existsSync(path)) throw broken(path, "there is no such file")
  checkOwner(path)
  return readConfig(await importConfig(path), path)
}

function findConfig(dataDir: string): string | null {
  const found = names.map((name) => join(dataDir, name)).filter((path) => existsSync(path))
  if (found.length > 1)
    throw broken(found[0] ?? "", `${found.map((path) => basename(path)).join(" and ")} both exist; keep only one of them`)
  return found[0] ?? null
}

/** It is run as this user: whoever may write it is this user. */
function checkOwner(path: string): void {
  if (process.platform === "win32" || (statSync(path).mode & 0o002) === 0) return
  throw broken(path, "everyone on this machine can write to it, and so run code here; revoke that permission with chmod o-w")
}

/** What it exports, which may take its time: a config may be made from what it reads or fetches. */
async function importConfig(path: string): Promise<unknown> {
  const url = pathToFileURL(path).href
  const hooks = resolveOwnPackage(url)
  try {
    const { default: config } = (await import(url)) as { default?: unknown } // a module is an object
    return await config
  } catch (error) {
    if (error instanceof ExecutorError) throw broken(path, error.message)
    throw broken(path, describe(error).slice(0, 2000))
  } finally {
    hooks.release()
  }
}

/** Node.js writes where a syntax error is in front of the stack, as `file:line` and the line itself. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = error instanceof SyntaxError ? /^(?:file:\/\/)?(\S+:\d+)\n(.*)\n/.exec(error.stack ?? "") : null
  return `${error.name}: ${error.message}${place === null ? "" : ` (${place[1]}: ${(place[2] ?? "").trim()})`}`
}

const shape = "`export default { plugins: [ … ], functions: defineFunctions(import.meta.url, { … }) }`, or one of the two"

function readConfig(config: unknown, path: string): Config {
  if (typeof config !== "object" || config === null || Array.isArray(config)) throw broken(path, `it must contain ${shape}`)
  const unknown = Object.keys(config).find((key) => key !== "plugins" && key !== "functions")
  if (unknown !== undefined) throw broken(path, `unknown setting '${unknown.slice(0, 80)}'; the settings are plugins and functions`)
  const { plugins, functions } = config as { plugins?: unknown; functions?: unknown } // an object
  if (plugins === undefined && functions === undefined) throw broken(path, `it has no plugins and no functions; it must contain ${shape}`)
  if (plugins !== undefined && !Array.isArray(plugins)) throw broken(path, "plugins must be a list of plugins made with definePlugin")
  if (functions !== undefined && !isDefined(functions))
    throw broken(path, "functions must be made with defineFunctions(import.meta.url, { … })")
  return {
    plugins: ((plugins ?? []) as Plugin[]).map((plugin) => checked(plugin, path)), // whatever it is, `definePlugin` looks at it
    functions: functions === undefined ? [] : [functions],
  }
}

/** An author with several files must know which one breaks a rule. */
function checked(plugin: Plugin, path: string): Plugin {
  try {
    return definePlugin(plugin)
  } catch (error) {
    throw error instanceof ExecutorError ? broken(path, error.message) : error
  }
}

const broken = (path: string, reason: string): ExecutorError => new ExecutorError("invalid_request", `${path} cannot be used: ${reason}`)
