// What is gathered before it is told: repeats become one, and no message is longer than the database takes.
import { expect, test } from "vitest"
import { silentLog } from "../../io/log.ts"
import { broadcastBytesMax } from "../../store/executions/broadcasts.ts"
import type { FeedItem } from "./feed.ts"
import { createPublisher, readItems } from "./publisher.ts"
import type { Change } from "./publisher.ts"

async function told(changes: readonly Change[]): Promise<{ readonly items: FeedItem[]; readonly texts: string[] }> {
  const texts: string[] = []
  const broadcasts = { send: async (text: string) => void texts.push(text), listen: async () => () => {} }
  const publisher = createPublisher({ broadcasts, log: silentLog })
  changes.forEach((change) => publisher.publish(change))
  await publisher.close()
  return { texts, items: texts.flatMap(readItems) }
}

const owner = { tenant: "t", user: "anna", tokenId: null }
const changed = (executionId: string): Change => ({ ...owner, type: "execution.changed", executionId })

test("many calls of one execution are one event, and none if it has ended", async () => {
  const { items } = await told([
    { ...owner, type: "execution.started", executionId: "exe_1", status: "running" },
    changed("exe_1"),
    changed("exe_1"),
    changed("exe_2"),
    { ...owner, type: "execution.ended", executionId: "exe_2", status: "completed" },
  ])
  expect(items.map(({ type, ...item }) => [type, "executionId" in item ? item.executionId : null])).toEqual([
    ["execution.started", "exe_1"],
    ["execution.changed", "exe_1"],
    ["execution.ended", "exe_2"],
  ])
})

test("very many executions of one principal are told as several, those of others one by one", async () => {
  const many = Array.from({ length: 500 }, (_, index) => changed(`exe_${index}`))
  const { items } = await told([...many, { ...changed("exe_bo"), user: "bo" }])
  expect(items).toEqual([
    { id: expect.any(String), ...owner, type: "execution.changed" },
    { id: expect.any(String), tenant: "t", user: "bo", tokenId: null, type: "execution.changed", executionId: "exe_bo" },
  ])
})

test("a message has room in the database, whatever it holds", async () => {
  const many = Array.from({ length: 300 }, (_, index): Change => ({
    tenant: "t",
    type: "registry.changed",
    action: "registry.update",
    subject: `ü${index}`.repeat(40),
    user: "anna",
  }))
  const { items, texts } = await told([...many, { ...many[0], subject: "long".repeat(5000) } as Change])
  expect(texts.length).toBeGreaterThan(1)
  expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(broadcastBytesMax)
  expect(items).toHaveLength(301)
  expect(items.at(-1)).toMatchObject({ subject: "" })
  expect(new Set(items.map(({ id }) => id)).size).toBe(301)
})

test("a database that takes nothing costs the events, and nothing else", async () => {
  const broadcasts = { send: () => Promise.reject(new Error("down")), listen: async () => () => {} }
  const publisher = createPublisher({ broadcasts, log: silentLog })
  publisher.publish(changed("exe_1"))
  await expect(publisher.close()).resolves.toBeUndefined()
})
