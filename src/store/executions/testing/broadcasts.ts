// Conformance of broadcasts: every process hears all of them in one order, its own included, until it stops listening.
import { describe, expect, it, vi } from "vitest"
import { newId } from "../../../io/ids.ts"
import type { Broadcasts } from "../broadcasts.ts"
import { broadcastBytesMax } from "../broadcasts.ts"
import type { ExecutionsUnderTest } from "./suite.ts"

export function testBroadcasts(use: () => ExecutionsUnderTest): void {
  const broadcastsOf = (): [Broadcasts, Broadcasts] => [use().stores.executions.broadcasts, use().other.executions.broadcasts]

  describe("broadcasts", () => {
    it("reach every process, the sender too, in the same order", async () => {
      const [one, other] = broadcastsOf()
      const mark = newId("mark")
      const [hearsOne, hearsOther] = [await listenTo(one, mark), await listenTo(other, mark)]
      await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).send(`${mark} ${index}`)))
      await other.send(`${mark} end`)
      await vi.waitFor(() => {
        expect(hearsOne.texts.at(-1)).toBe(`${mark} end`)
        expect(hearsOther.texts.at(-1)).toBe(`${mark} end`)
      })
      const numbered = (texts: readonly string[]): string[] => texts.filter((text) => /\d$/.test(text))
      expect(numbered(hearsOne.texts)).toHaveLength(20)
      expect(numbered(hearsOther.texts)).toEqual(numbered(hearsOne.texts))
      hearsOne.stop()
      hearsOther.stop()
    })

    it("have room for the longest text, and end for whoever stops", async () => {
      const [one, other] = broadcastsOf()
      const mark = newId("mark")
      const [stopped, hearing] = [await listenTo(one, mark), await listenTo(one, mark)]
      const longest = mark.padEnd(broadcastBytesMax, "x")
      await other.send(longest)
      await vi.waitFor(() => expect(hearing.texts).toContain(longest))
      stopped.stop()
      const count = stopped.texts.length
      await other.send(`${mark} after`)
      await vi.waitFor(() => expect(hearing.texts).toContain(`${mark} after`))
      expect(stopped.texts).toHaveLength(count)
      hearing.stop()
    })
  })
}

/** Of this test alone: others share the database. */
async function listenTo(broadcasts: Broadcasts, mark: string): Promise<{ readonly texts: string[]; stop(): void }> {
  const texts: string[] = []
  return { texts, stop: await broadcasts.listen((text) => void (text?.startsWith(mark) === true && texts.push(text))) }
}
