// How a node learns that another one changed the catalog or an execution: PostgreSQL's notifications, on a separate connection.
//
// While that connection is lost nothing is heard. Then every revision differs from the one before, so that no cache
// relies on it, and once it is back there may be a signal for any execution; a connection that died without a sign is found
// out by asking it something now and then.
import { Client } from "pg"
import { newId } from "../io/ids.ts"
import type { Broadcasts } from "./executions/broadcasts.ts"
import type { SignalListener } from "./execution-store.ts"

type BroadcastListener = Parameters<Broadcasts["listen"]>[0]

type Notification = { readonly sql: string; readonly parameters: readonly string[] }

export interface PostgresNotifications {
  current(): string
  /** Tells other nodes, when the transaction that runs this is committed. */
  readonly notification: Notification
  /** This node changed something: its own notification comes too late, and is not listened to. */
  bump(): void
  /** Tells all nodes, this one too, that there is a signal for an execution. */
  signalOf(executionId: string): Notification
  /** Tells all nodes, this one too, whatever the text says. */
  broadcastOf(text: string): Notification
  /** Answers how to stop. */
  hear(listener: BroadcastListener): () => void
  /** Answers how to stop. */
  listen(listener: SignalListener): () => void
  close(): Promise<void>
}

const channels = { revision: "executor_revision", execution: "executor_execution", broadcast: "executor_broadcast" }
const notify = (channel: string, payload: string): Notification => ({ sql: "select pg_notify($1, $2)", parameters: [channel, payload] })
const reconnectMs = { first: 100, most: 5000 }
const heartbeatMs = 10_000
const answerMsMax = 5000

export async function openPostgresNotifications(url: string): Promise<PostgresNotifications> {
  const node = newId("node")
  let revision = 0
  let waitMs = reconnectMs.first
  let retry: NodeJS.Timeout | null = null
  let listener: Client | null = null
  let isClosed = false
  const listeners = new Set<SignalListener>()
  const hearers = new Set<BroadcastListener>()
  const broadcast = (text: string | null): void => hearers.forEach((each) => each(text))
  const spread = (executionId: string | null): void => listeners.forEach((each) => void each(executionId))

  async function listen(): Promise<void> {
    const client = new Client({
      connectionString: url,
      application_name: "executor notifications",
      keepAlive: true,
      connectionTimeoutMillis: answerMsMax,
      query_timeout: answerMsMax,
    })
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === channels.execution) spread(payload)
      else if (channel === channels.broadcast) broadcast(payload)
      else if (payload !== node) revision += 1
    })
    client.on("error", () => lose(client))
    client.on("end", () => lose(client))
    try {
      await client.connect()
      await client.query(
        Object.values(channels)
          .map((channel) => `listen ${channel}`)
          .join("; "),
      )
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    if (isClosed) return client.end()
    listener = client
    waitMs = reconnectMs.first
    // Whatever was changed before the listening began.
    revision += 1
    spread(null)
    broadcast(null)
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
    notification: notify(channels.revision, node),
    bump() {
      revision += 1
    },
    signalOf: (executionId) => notify(channels.execution, executionId),
    broadcastOf: (text) => notify(channels.broadcast, text),
    hear(hearer) {
      hearers.add(hearer)
      return () => void hearers.delete(hearer)
    },
    listen(signals) {
      listeners.add(signals)
      return () => void listeners.delete(signals)
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
