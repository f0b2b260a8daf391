// How a node hears that another one changed the catalog: PostgreSQL's notifications, on a connection of their own.
//
// While that connection is lost nothing is heard. Then every answer differs from the one before, so that no cache
// relies on it; and a connection that died without a sign is found out by asking it something now and then.
import { Client } from "pg"
import { newId } from "../io/ids.ts"

export interface PostgresRevision {
  current(): string
  /** Tells other nodes, when the transaction that runs this is committed. */
  readonly notification: { readonly sql: string; readonly parameters: readonly string[] }
  /** This node changed something: its own notification comes too late, and is not listened to. */
  bump(): void
  close(): Promise<void>
}

const channel = "executor_revision"
const reconnectMs = { first: 100, most: 5000 }
const heartbeatMs = 10_000
const answerMsMax = 5000

export async function openPostgresRevision(url: string): Promise<PostgresRevision> {
  const node = newId("node")
  let revision = 0
  let waitMs = reconnectMs.first
  let retry: NodeJS.Timeout | null = null
  let listener: Client | null = null
  let isClosed = false

  async function listen(): Promise<void> {
    const client = new Client({
      connectionString: url,
      application_name: "executor revision",
      keepAlive: true,
      connectionTimeoutMillis: answerMsMax,
      query_timeout: answerMsMax,
    })
    client.on("notification", ({ payload }) => {
      if (payload !== node) revision += 1
    })
    client.on("error", () => lose(client))
    client.on("end", () => lose(client))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    if (isClosed) return client.end()
    listener = client
    waitMs = reconnectMs.first
    // Whatever was changed before the listening began.
    revision += 1
  }

  function lose(client: Client): void {
    if (listener !== client) return
    listener = null
    client.end().catch(() => {})
    reconnectLater()
  }

  function reconnectLater(): void {
    if (isClosed) return
    retry = setTimeout(() => void listen().catch(reconnectLater), waitMs)
    retry.unref()
    waitMs = Math.min(waitMs * 2, reconnectMs.most)
  }

  await listen()
  const heartbeat = setInterval(() => {
    const client = listener
    client?.query("select 1").catch(() => lose(client))
  }, heartbeatMs)
  heartbeat.unref()

  return {
    current() {
      if (listener === null) revision += 1
      return `${node}.${revision}`
    },
    notification: { sql: "select pg_notify($1, $2)", parameters: [channel, node] },
    bump() {
      revision += 1
    },
    async close() {
      isClosed = true
      clearInterval(heartbeat)
      if (retry) clearTimeout(retry)
      const client = listener
      listener = null
      await client?.end()
    },
  }
}
