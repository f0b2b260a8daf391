// Gathers what this process did for a moment, and tells every process that shares the database.
//
// The calls of one execution, and the executions of one principal who starts very many, become one event.
import type { Log } from "../../io/log.ts"
import { newId } from "../../io/ids.ts"
import { broadcastBytesMax } from "../../store/executions/broadcasts.ts"
import type { Broadcasts } from "../../store/executions/broadcasts.ts"
import type { FeedChange, FeedItem } from "./feed.ts"

export type Change = { readonly tenant: string } & FeedChange

export type Publisher = {
  publish(change: Change): void
  /** Sends what is left. */
  close(): Promise<void>
}

/** A person does not notice the delay, and a busy server sends few messages. */
const gatherMs = 100
/** Beyond it, executions of one principal are told as "several". */
const executionsToldMax = 20
/** Longer ones are left out: a reader finds the change anyway. */
const subjectCharsMax = 300

export function createPublisher({ broadcasts, log }: { readonly broadcasts: Broadcasts; readonly log: Log }): Publisher {
  let gathered = new Map<string, Change>()
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> = Promise.resolve()

  async function send(changes: readonly Change[]): Promise<void> {
    const items = changes.map((change): FeedItem => ({ id: newId("evt"), ...change }))
    for (const text of textsOf(items)) await broadcasts.send(text)
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const changes = withoutRepeats([...gathered.values()])
    gathered = new Map()
    if (changes.length === 0) return sending
    return (sending = sending
      .then(() => send(changes))
      .catch((error: unknown) => log.warn({ error: String(error) }, "Whoever follows the server's events could not be told of some")))
  }

  return {
    publish(change) {
      const short = "subject" in change && change.subject.length > subjectCharsMax ? { ...change, subject: "" } : change
      const key = keyOf(short)
      // The latest of a kind takes the place of the one before it in the order, too.
      gathered.delete(key)
      gathered.set(key, short)
      timer ??= setTimeout(() => void flush(), gatherMs).unref()
    },
    close: flush,
  }
}

const keyOf = (change: Change): string =>
  JSON.stringify([change.tenant, change.type, "action" in change ? [change.action, change.subject, change.user] : idOf(change)])

const idOf = (change: Change): string =>
  "approvalId" in change ? change.approvalId : "executionId" in change ? (change.executionId ?? "") : ""

function withoutRepeats(changes: readonly Change[]): Change[] {
  const ended = new Set(changes.flatMap((change) => (change.type === "execution.ended" ? [change.executionId] : [])))
  const left = changes.filter((change) => change.type !== "execution.changed" || !ended.has(change.executionId))
  const byOwner = Map.groupBy(left, ownerOf)
  return [...byOwner].flatMap(([owner, some]) => {
    const [first] = some
    if (owner === null || some.length <= executionsToldMax || first === undefined || !("tokenId" in first)) return some
    const { tenant, user, tokenId } = first
    return [{ tenant, user, tokenId, type: "execution.changed" }]
  })
}

/** Null for what is always told one by one. */
const ownerOf = (change: Change): string | null =>
  change.type.startsWith("execution.") && "tokenId" in change ? JSON.stringify([change.tenant, change.user, change.tokenId]) : null

/** As many items in each as it has room for. */
function textsOf(items: readonly FeedItem[]): string[] {
  const texts: string[] = []
  let [lines, bytes]: [string[], number] = [[], 0]
  for (const item of items) {
    const line = JSON.stringify(item)
    const lineBytes = Buffer.byteLength(line) + 1
    if (lineBytes > broadcastBytesMax) continue
    if (bytes + lineBytes > broadcastBytesMax) {
      texts.push(lines.join("\n"))
      lines = []
      bytes = 0
    }
    lines.push(line)
    bytes += lineBytes
  }
  return lines.length === 0 ? texts : [...texts, lines.join("\n")]
}

/** Written above, by this version or another one beside it. */
export const readItems = (text: string): FeedItem[] => text.split("\n").map((line) => JSON.parse(line) as FeedItem)
