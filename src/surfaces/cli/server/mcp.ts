// `executor mcp`: MCP over stdin and stdout, as an agent, through the server that runs here or one inside this process.
import { Readable } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { productVersion } from "../../../local/version.ts"
import { loadServer, loadStdioBridge } from "../product.ts"
import type { Bridge, BridgeTarget, RunningServer } from "../product.ts"
import { findAgentToken } from "./mcp-token.ts"
import { findServer } from "./open-executor.ts"
import { fetchWithTimeout } from "./fetch-with-timeout.ts"

export type McpOptions = {
  readonly elicitationMode?: string
  readonly results?: string
  readonly discovery?: string
  /** The file with plugins, where no server runs. */
  readonly config?: string
}

/** Longer than any execution runs. */
const answerWaitMs = 900_000

/** Whoever closes stdin after the last question still wants its answer. */
const drainMs = 10_000

export async function serveMcp(options: McpOptions): Promise<void> {
  // Whatever else wants to be said must not stand among the messages.
  console.log = console.error
  const opened = Promise.withResolvers<Bridge>()
  let own: Promise<RunningServer> | null = null
  const findTarget = async (): Promise<BridgeTarget> => {
    const found = await findServer(process.env)
    if (found !== null && options.config !== undefined) report("a server is already running with its own plugins; ignoring --config")
    const origin = found?.origin ?? `${(await (own ??= startInside(options.config))).url}/api`
    return { url: endpoint(origin, options), token: await findAgentToken(origin, process.env) }
  }
  const report = (message: string): void => void process.stderr.write(`executor mcp: ${message}\n`)
  // The transport writes nothing once its input has ended: the end is passed on when the last answer is written.
  const input: Readable = Readable.from(
    readInput(async () => {
      const open = await opened.promise
      while (input.readableLength > 0) await nextTurn()
      await open.drain(drainMs)
    }),
  )
  const stdio = new StdioServerTransport(input)
  const { bridgeStdio } = await loadStdioBridge()
  const bridge = await bridgeStdio(stdio, { findTarget, fetch: await fetchWithTimeout(answerWaitMs), report })
  opened.resolve(bridge)
  report(`Executor ${productVersion} serves MCP over stdin and stdout`)
  const stop = async (): Promise<void> => {
    setTimeout(() => process.exit(1), 10_000).unref()
    await bridge.close()
    await (await own)?.close()
    process.exit(0)
  }
  // Transports of the protocol have one callback for each event.
  Object.assign(stdio, { onclose: () => void stop() })
  process.once("SIGINT", () => void stop())
  process.once("SIGTERM", () => void stop())
}

async function* readInput(drain: () => Promise<void>): AsyncGenerator {
  yield* process.stdin
  await drain()
}

/**
 * On the usual port, where a server that is started later answers the same approval links: this one ends with the
 * agent's program, and what waits does not. On any other where that one is taken.
 */
async function startInside(config: string | undefined): Promise<RunningServer> {
  const [{ startServer }, { readSettings }] = await Promise.all([loadServer(), import("../../../local/settings.ts")])
  const environment = { EXECUTOR_LOG: "warn", ...process.env, EXECUTOR_HOST: "127.0.0.1", EXECUTOR_TLS_CERT: "", EXECUTOR_TLS_KEY: "" }
  const settings = readSettings({ ...environment, ...(config === undefined ? {} : { EXECUTOR_CONFIG: config }) })
  return startServer(settings, { ifPortTaken: "any_port" })
}

function endpoint(origin: string, { elicitationMode, results, discovery }: McpOptions): URL {
  const url = new URL(`${origin.replace(/\/api$/, "")}/mcp`)
  const query = { elicitation_mode: elicitationMode, results, discovery }
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}
