// `executor serve`: starts the server, says where to go, and ends it cleanly on a signal.
import { executorCommand } from "../../../io/executor-command.ts"
import { dirname } from "node:path"
import { readDataDir } from "../../../local/data-dir.ts"
import { orUsageError } from "../usage-error.ts"
import { ExecutorError } from "../../../core/errors.ts"
import { readServerFile } from "../../../local/server-file.ts"
import { plainAddressWarning, portDefault, readSettings, refuseListening } from "../../../local/settings.ts"
import type { Settings } from "../../../local/settings.ts"
import { probeServer } from "./probe.ts"
import { loadServer } from "../product.ts"
import type { RunningServer } from "../product.ts"
import { productVersion } from "../../../local/version.ts"

export type ServeOptions = { readonly [Name in keyof typeof variables]?: string }

/** The options, and the variables that they take the place of. */
const variables = {
  port: "EXECUTOR_PORT",
  host: "EXECUTOR_HOST",
  tlsCert: "EXECUTOR_TLS_CERT",
  tlsKey: "EXECUTOR_TLS_KEY",
  database: "EXECUTOR_DATABASE_URL",
  config: "EXECUTOR_CONFIG",
} as const

export async function serve(options: ServeOptions): Promise<void> {
  const given = Object.fromEntries(Object.entries(options).map(([name, value]) => [variables[name as keyof ServeOptions], value])) // commander knows no other
  const environment = { ...process.env, ...given }
  const settings = orUsageError(() => readSettings(environment))
  // What cannot be listened on is said first.
  if (refuseListening(settings) === null) await refuseSecond(settings)
  const { startServer } = await loadServer()
  const server = await startServer(settings)
  if (settings.tls !== null) process.on("SIGHUP", () => server.renewTls())
  process.stdout.write(welcome(server))
  const warning = plainAddressWarning(settings)
  if (warning !== null) process.stderr.write(`Warning: ${warning}\n`)
  const stop = (): void => {
    process.stdout.write("\nStopping. What waits for a human is kept.\n")
    setTimeout(() => process.exit(1), 20_000).unref()
    void server.close().then(() => process.exit(0))
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
}

/** Commands would move to the new server without a word. Who names another port wants a second one. */
async function refuseSecond({ dataDir, port }: Settings): Promise<void> {
  const other = readServerFile(dataDir)
  if (other === null || (port !== portDefault && port !== Number(new URL(other.origin).port))) return
  const probe = await probeServer(other.origin)
  if (probe.status !== "executor") return
  throw new ExecutorError(
    "conflict",
    `Executor is already running on this data directory (pid ${other.pid}): ${new URL(other.origin).origin}\nUse that server, or stop it first. A second server on the same data needs another port: ${executorCommand} serve --port ${port + 1}`,
  )
}

function welcome(server: RunningServer): string {
  const next = server.isEmpty
    ? [
        `For a one-minute tour, run this in another terminal: ${executorCommand} demo`,
        "",
        `Or start a small API with \`${executorCommand} demo --api\` and use it through this server:`,
        ...elsewhere(dirname(server.tokenPath)),
        `  ${executorCommand} integrations add http://127.0.0.1:4790/openapi.json`,
        `  ${executorCommand} tools search "which products run low"`,
        `  ${executorCommand} call shop.products.list stockMax=5`,
      ]
    : [
        "In another terminal:",
        ...elsewhere(dirname(server.tokenPath)),
        `  ${executorCommand} tools sources`,
        `  ${executorCommand} tools search "what you want to do"`,
      ]
  return [
    `Executor ${productVersion} is running at ${server.url}`,
    `  token      ${server.tokenPath}`,
    `  agents     ${server.publicUrl}/mcp          (${executorCommand} connect writes a client's file)`,
    `  console    ${server.pagesUrl}/             (${executorCommand} web signs you in)`,
    `  approvals  ${server.pagesUrl}/approve `,
    `  API        ${server.pagesUrl}/api/docs`,
    "",
    ...next,
    "",
    "Press Ctrl-C to stop.",
    "",
  ].join("\n")
}

/** In another terminal nobody knows which directory was chosen in this one. */
const elsewhere = (dataDir: string): string[] =>
  dataDir === readDataDir({ ...process.env, EXECUTOR_DATA_DIR: "" }) ? [] : [`  export EXECUTOR_DATA_DIR=${quote(dataDir)}`]

const quote = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
