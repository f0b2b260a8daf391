// Looks into the catalog: whether the database opens, and whether each connection can be used.
import { executorCommand } from "../../../io/executor-command.ts"
import type { ConnectionStatus, ConnectionView } from "../../../core/connection.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { connectionPath, reasonText } from "../connections/key.ts"
import { readAll, unconnectedSlugs } from "../connections/unconnected.ts"
import type { OpenExecutor } from "../server/open-executor.ts"
import { counted } from "../print/count.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { broken, odd, reasonOf, well } from "./check.ts"
import type { Check } from "./check.ts"
import { checkToken } from "./check-server.ts"

export async function checkCatalog(open: () => Promise<OpenExecutor>): Promise<Check[]> {
  let opened: OpenExecutor
  try {
    opened = await open()
  } catch (error) {
    return [
      broken(
        "database",
        reasonOf(error),
        "Fix the problem above. EXECUTOR_DATA_DIR and EXECUTOR_DATABASE_URL set the location of the store",
      ),
    ]
  }
  try {
    const token = await checkToken(opened.api)
    if (token.status !== "ok") return [token]
    const database = opened.place.kind === "process" ? [well("database", "It opens")] : [token]
    return [...database, ...(await checkConnections(opened.api))]
  } finally {
    await opened.close()
  }
}

async function checkConnections(api: ExecutorApi): Promise<Check[]> {
  const checks: Check[] = []
  for (const connection of await readAll((page) => api.connections.list(page))) checks.push(await checkConnection(connection, api))
  for (const slug of await unconnectedSlugs(api))
    checks.push(
      odd(`integration ${slug}`, "It is not connected, so its tools cannot be called", `${executorCommand} connections add ${slug}`),
    )
  return checks.length > 0
    ? checks
    : [well("connections", `No integrations yet. Add one with ${executorCommand} integrations add <url-or-file>`)]
}

/** What is stored says how it was when its tools were read; whether its credentials open with the key of today is tried. */
async function checkConnection(connection: ConnectionView, api: ExecutorApi): Promise<Check> {
  const path = connectionPath(connection)
  const name = `connection ${path}`
  const { status } = connection
  if (status === "ready") {
    const { ok, message } = await api.connections.health(connection)
    return ok ? well(name, counted(connection.toolCount, "tool")) : broken(name, safeLine(message), fixes.needs_credentials(path))
  }
  const reason = connection.error === null ? "" : `: ${reasonText(connection.error)}`
  return broken(name, `${status}${reason}`, fixes[status](path))
}

const fixes: Record<Exclude<ConnectionStatus, "ready">, (path: string) => string> = {
  needs_credentials: (path) => `${executorCommand} connections update ${path}`,
  needs_review: (path) =>
    `Its source now names a different host, which ${executorCommand} connections list --json shows. If it is right, run ${executorCommand} connections update ${path} --confirm-origins`,
  syncing: (path) => `Its source has not answered yet. If this persists, run ${executorCommand} connections refresh ${path}`,
  error: (path) =>
    `Fix its source and run ${executorCommand} connections refresh ${path}, or remove it: ${executorCommand} integrations remove ${path.split(".", 1)[0] ?? path}`,
}
