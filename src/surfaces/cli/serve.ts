// `executor serve`: starts the server, says where to go, and ends it cleanly on a signal.
import { orUsageError } from "./usage-error.ts"
import { readSettings } from "../../preset/settings.ts"
import { startServer } from "../../preset/server.ts"
import type { RunningServer } from "../../preset/server.ts"
import { productVersion } from "../../preset/version.ts"

export type ServeOptions = { readonly port?: string; readonly host?: string; readonly database?: string; readonly config?: string }

export async function serve(options: ServeOptions): Promise<void> {
  const environment = {
    ...process.env,
    ...(options.port === undefined ? {} : { EXECUTOR_PORT: options.port }),
    ...(options.host === undefined ? {} : { EXECUTOR_HOST: options.host }),
    ...(options.database === undefined ? {} : { EXECUTOR_DATABASE_URL: options.database }),
    ...(options.config === undefined ? {} : { EXECUTOR_CONFIG: options.config }),
  }
  const settings = orUsageError(() => readSettings(environment))
  const server = await startServer(settings)
  process.stdout.write(welcome(server))
  const stop = (): void => {
    setTimeout(() => process.exit(1), 20_000).unref()
    void server.close().then(() => process.exit(0))
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
}

function welcome(server: RunningServer): string {
  const auth = `-H "Authorization: Bearer $(cat ${quote(server.tokenPath)})"`
  const next = server.isEmpty
    ? [
        "Try it with a small API that needs no account: in another terminal run `npm run demo:api`, then",
        `  curl -s ${auth} ${server.url}/api/integrations \\`,
        `    --json '{"slug":"orders","kind":"openapi","config":{"spec":"http://127.0.0.1:4790/openapi.json"}}'`,
        `  curl -s ${auth} ${server.url}/api/connections \\`,
        `    --json '{"integration":"orders","auth":{"template":"bearer","values":{"token":"demo"}}}'`,
        `  curl -s ${auth} ${server.url}/api/tools`,
      ]
    : ["See what is there:", `  curl -s ${auth} '${server.url}/api/tools?limit=5'`]
  return [
    `Executor ${productVersion} is running at ${server.url}`,
    `  token      ${server.tokenPath}`,
    `  API        ${server.url}/api/docs`,
    "",
    ...next,
    "",
    "Stop it with Ctrl-C.",
    "",
  ].join("\n")
}

const quote = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
