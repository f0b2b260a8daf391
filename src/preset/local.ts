// The SDK: the product in this process, acting as the local human.
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Limits } from "../core/limits.ts"
import { ExecutorError } from "../core/errors.ts"
import { localHuman } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { Plugin } from "../plugin/definition.ts"
import { isFunctionThread } from "../registry/functions/define.ts"
import type { DefinedFunctions } from "../registry/functions/define.ts"
import { createLog } from "../io/log.ts"
import { closable } from "./closable.ts"
import { openProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { readDatabaseUrl, readSettings } from "../local/settings.ts"

export type ExecutorOptions = {
  /** Embedded store and keys; by default the platform's data directory. */
  readonly dataDir?: string
  /** `postgres://…` for many nodes. */
  readonly databaseUrl?: string
  readonly limits?: Partial<Limits>
  /** The file that lists plugins (EXECUTOR_CONFIG); by default `executor.config.ts` in the data directory. */
  readonly configPath?: string
  /** Plugins in addition to those in the file. */
  readonly plugins?: readonly Plugin[]
  /** Functions that tools may call, made with `defineFunctions`, in addition to those in the file. */
  readonly functions?: DefinedFunctions
  /** The token to act with; by default the local human's. */
  readonly token?: string
}

export interface Executor extends ExecutorApi {
  close(): Promise<void>
}

export async function createExecutor(options: ExecutorOptions = {}): Promise<Executor> {
  // A thread imports this program for its functions alone, and goes no further.
  if (isFunctionThread()) return new Promise(() => {})
  const settings = readSettings({
    ...process.env,
    ...(options.dataDir === undefined ? {} : { EXECUTOR_DATA_DIR: options.dataDir }),
    ...(options.databaseUrl === undefined ? {} : { EXECUTOR_DATABASE_URL: readDatabaseUrl(options.databaseUrl) ?? "" }),
    ...(options.configPath === undefined ? {} : { EXECUTOR_CONFIG: options.configPath }),
  })
  const product = await openProduct(settings, {
    isLoopbackOnly: true,
    startsWarm: false,
    approvalUrl: () => null,
    pagesUrl: () => null,
    publicUrl: () => null,
    // Its caller is told what fails; a log on their terminal is for those who ask for it.
    log: createLog(process.env["EXECUTOR_LOG"] === undefined ? "error" : settings.logLevel),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.plugins === undefined ? {} : { plugins: options.plugins }),
    ...(options.functions === undefined ? {} : { functions: options.functions }),
  })
  try {
    return closable(product.core.as(await principalOf(options.token, product)), () => product.core.close())
  } catch (error) {
    await product.core.close()
    throw error
  }
}

async function principalOf(token: string | undefined, product: Product): Promise<Principal> {
  const principal = token === undefined ? localHuman : await product.core.authenticate(token)
  if (principal === null) throw new ExecutorError("unauthorized", "The token is unknown; it may have been revoked")
  return principal
}
