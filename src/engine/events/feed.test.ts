// The buffer of events: where readers go on, and what they learn when they are too slow.
import { expect, test } from "vitest"
import { createFeed } from "./feed.ts"
import type { Feed, FeedItem } from "./feed.ts"

const item = (id: string): FeedItem => ({
  id,
  tenant: "t",
  type: "policies.changed",
  action: "policy.create",
  subject: "a.**",
  user: "anna",
})

function readAll(feed: Feed, from: number): string[] {
  const taken = feed.take(from)
  if (taken === null) return []
  return taken.kind === "lost" ? ["lost", ...readAll(feed, taken.place)] : [taken.item.id, ...readAll(feed, from + 1)]
}

test("a reader goes on behind the event that it names, or behind the beginning", () => {
  const feed = createFeed()
  const { id: start, place, isWhole } = feed.begin(undefined)
  expect(isWhole).toBe(true)
  feed.add([item("a"), item("b"), item("c")])
  expect(readAll(feed, place)).toEqual(["a", "b", "c"])
  expect(readAll(feed, feed.begin("a").place)).toEqual(["b", "c"])
  expect(readAll(feed, feed.begin(start).place)).toEqual(["a", "b", "c"])
  expect(feed.begin("c")).toMatchObject({ id: "c", isWhole: true })
  expect(feed.begin(undefined)).toMatchObject({ id: "c", isWhole: true })
})

test("whoever names an event that is not kept begins at the end, and learns it", () => {
  const feed = createFeed()
  feed.add([item("a")])
  expect(feed.begin("of another server")).toMatchObject({ id: "a", isWhole: false })
  expect(readAll(feed, feed.begin("of another server").place)).toEqual([])
})

test("a slow reader learns that events are gone, and reads on with the latest", () => {
  const feed = createFeed(3)
  const { place, id } = feed.begin(undefined)
  for (let count = 0; count < 7; count += 1) feed.add([item(`e${count}`)])
  expect(readAll(feed, place)).toEqual(["lost"])
  expect(feed.begin(id).isWhole).toBe(false)
  expect(readAll(feed, feed.begin("e4").place)).toEqual(["e5", "e6"])
})

test("after events were lost on their way, every reader reads anew", () => {
  const feed = createFeed()
  feed.add([item("a")])
  const reading = feed.begin(undefined)
  let woken = 0
  feed.whenMore(() => (woken += 1))
  feed.miss()
  expect(woken).toBe(1)
  expect(readAll(feed, reading.place)).toEqual(["lost"])
  expect(feed.begin("a").isWhole).toBe(false)
  const anew = feed.begin(undefined)
  feed.add([item("b")])
  expect(readAll(feed, feed.begin(anew.id).place)).toEqual(["b"])
})
