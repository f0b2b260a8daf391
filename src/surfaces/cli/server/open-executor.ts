// Finds what a command talks to: the server that the environment names, the one that runs here, or the product in this process.
import { executorCommand } from "../../../io/executor-command.ts"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { readDataDir } from "../../../local/data-dir.ts"
import { readServerFile } from "../../../local/server-file.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { NoServerError } from "./no-server-error.ts"
import { loadClient, loadExecutor } from "../product.ts"
import { findApiNear, probeServer } from "./probe.ts"
import { orUsageError, UsageError } from "../usage-error.ts"

export type Place =
  | {
      readonly kind: "server"
      readonly origin: string
      /** Where people go, if that is another address. */
      readonly publicUrl?: string
      readonly version: string
      readonly foundBy: "environment" | "server_file"
    }
  | { readonly kind: "process"; readonly dataDir: string }

export type OpenExecutor = { readonly api: ExecutorApi; readonly place: Place; close(): Promise<void> }

export type OpenOptions = {
  /** How long one answer may take, where that is longer than `fetch` waits by itself. */
  readonly waitMs?: number
  /** The file with plugins, for a command that works by itself. */
  readonly config?: string
}

type Environment = Readonly<Record<string, string | undefined>>

export async function openExecutor(env: Environment, options: OpenOptions = {}): Promise<OpenExecutor> {
  const server = await openServer(env, options)
  if (server !== null && options.config !== undefined)
    throw new UsageError(
      `A server is already running with its own plugins. To load this file, restart it with ${executorCommand} serve --config`,
    )
  return server ?? openInProcess(env, options.config)
}

/** Null where no server runs. */
export async function openServer(env: Environment, options: OpenOptions = {}): Promise<OpenExecutor | null> {
  const place = await findServer(env)
  if (place === null) return null
  const { createClient } = await loadClient()
  const { origin } = place
  const token = readToken(origin, env)
  const fetch =
    options.waitMs === undefined ? {} : { fetch: await (await import("./fetch-with-timeout.ts")).fetchWithTimeout(options.waitMs) }
  return { api: orUsageError(() => createClient({ origin, token, ...fetch })), place, close: async () => {} }
}

export async function findServer(env: Environment): Promise<Extract<Place, { kind: "server" }> | null> {
  const named = env["EXECUTOR_ORIGIN"]
  if (named !== undefined && named !== "") {
    if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol))
      throw new UsageError(`EXECUTOR_ORIGIN must be a URL such as http://127.0.0.1:4788/api, not '${named}'`)
    const origin = named.replace(/\/+$/, "")
    const answer = await probeServer(origin)
    if (answer.status === "silent") throw new NoServerError(origin, answer)
    if (answer.status === "stranger") throw await wrongOrigin(origin, answer.reason)
    return { kind: "server", origin, version: answer.version, foundBy: "environment" }
  }
  const file = readServerFile(readDataDir(env))
  if (file === null) return null
  const answer = await probeServer(file.origin)
  if (answer.status !== "executor") return null
  const { origin, publicUrl } = file
  return { kind: "server", origin, ...omitUndefined({ publicUrl }), version: answer.version, foundBy: "server_file" }
}

/** Most often `/api` is missing, or there once too often. */
async function wrongOrigin(origin: string, reason: string): Promise<UsageError> {
  const near = await findApiNear(origin)
  if (near !== null) return new UsageError(`EXECUTOR_ORIGIN is ${origin}, but Executor's API is at ${near}. Set EXECUTOR_ORIGIN=${near}`)
  return new UsageError(
    `EXECUTOR_ORIGIN is ${origin}, but what answers there is not Executor (${reason}). Set it to the address of Executor's API, e.g. http://127.0.0.1:4788/api, or unset it to use the server on this machine`,
  )
}

async function openInProcess(env: Environment, configPath: string | undefined): Promise<OpenExecutor> {
  const { createExecutor } = await loadExecutor()
  const dataDir = readDataDir(env)
  const token = env["EXECUTOR_TOKEN"]
  const executor = await createExecutor({ dataDir, ...omitUndefined({ configPath, token: token === "" ? undefined : token }) })
  return { api: executor, place: { kind: "process", dataDir }, close: () => executor.close() }
}

const agentPrefix = "exa_"

/** Whoever holds an agent's token approves nothing, and is not asked to. */
export const isAgentToken = (token: string | undefined): boolean => token?.startsWith(agentPrefix) === true

/** This machine's token is for this machine: it is not sent to whatever host a variable names. */
export function readToken(origin: string, env: Environment): string {
  const token = env["EXECUTOR_TOKEN"]
  if (token !== undefined && token !== "") return token
  const { hostname } = new URL(origin)
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    throw new UsageError(`Set EXECUTOR_TOKEN: ${hostname} is another machine, so this machine's own token is not sent to it`)
  const path = join(readDataDir(env), "token")
  try {
    return readFileSync(path, "utf8").trim()
  } catch {
    throw new UsageError(`No token found: EXECUTOR_TOKEN is not set, and ${path} cannot be read`)
  }
}
