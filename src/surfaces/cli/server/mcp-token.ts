// The token with which `executor mcp` acts: an agent's, made once with the human's and kept beside it.
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ExecutorError } from "../../../core/errors.ts"
import { sha256 } from "../../../io/ids.ts"
import { readDataDir } from "../../../local/data-dir.ts"
import { loadClient } from "../product.ts"
import { isAgentToken, readToken } from "./open-executor.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** A token that the environment names counts, if it is an agent's; a human's is only used to make one. */
export async function findAgentToken(origin: string, env: Environment): Promise<string> {
  const given = readToken(origin, env)
  if (isAgentToken(given)) return given
  const path = join(readDataDir(env), fileName(env["EXECUTOR_ORIGIN"]))
  const kept = readKept(path)
  if (kept !== null && (await isValid(origin, kept))) return kept
  const { createClient } = await loadClient()
  const client = createClient({ origin, token: given })
  const { token } = await client.tokens.create({ name: "mcp-stdio", kind: "agent", elicitation: ["browser", "native"] })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${token}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
  return token
}

/** The local servers of a data directory share a store, whatever their ports; another server has tokens of its own. */
const fileName = (origin: string | undefined): string =>
  origin === undefined || origin === "" ? "mcp-token" : `mcp-token-${sha256(origin).slice(0, 12)}`

function readKept(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim() || null
  } catch {
    return null
  }
}

async function isValid(origin: string, token: string): Promise<boolean> {
  const { createClient } = await loadClient()
  try {
    await createClient({ origin, token }).integrations.list({ limit: 1 })
    return true
  } catch (error) {
    if (error instanceof ExecutorError && error.code === "unauthorized") return false
    throw error
  }
}
