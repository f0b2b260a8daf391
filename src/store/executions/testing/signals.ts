// Conformance of signals: whoever listens soon looks at an execution that another process has touched.
import { describe, expect, it, vi } from "vitest"
import { newId } from "../../../io/ids.ts"
import type { ExecutionsUnderTest } from "./suite.ts"

export function testSignals(use: () => ExecutionsUnderTest): void {
  describe("signals", () => {
    it("reach another process, until it stops listening", async () => {
      const id = newId("exe")
      const heard: (string | null)[] = []
      const stop = use().stores.executions.signals.listen(async (one) => void heard.push(one))
      await use().other.executions.signals.notify(id)
      await vi.waitFor(() => expect(heard.some((one) => one === id || one === null)).toBe(true), { timeout: 60_000 })
      stop()
      const count = heard.length
      await use().other.executions.signals.notify(id)
      await new Promise((resolve) => setTimeout(resolve, 600))
      expect(heard).toHaveLength(count)
    })
  })
}
