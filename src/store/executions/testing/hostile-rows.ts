// Conformance with hostile text: what a stranger writes is stored as it is, or with a replacement character, and never harms.
import { describe, expect, it } from "vitest"
import type { ExecutionsUnderTest } from "./suite.ts"
import { allOf, approvalRow, doneCall, executionRow, later, newScope, outcomeRecord, sessionRoom } from "./samples.ts"

const texts: Record<string, { readonly text: string; readonly stored?: string }> = {
  quotes: { text: `'"; drop table executions; -- \\ \\u0000 \\\\u0000 $1 ? {}` },
  "line ends": { text: "\r\n\u2028\t\u0001" },
  "other scripts": { text: "日本語 é e\u0301 \u{1F600} \u202Eabc" },
  NUL: { text: "a\0b", stored: "a\uFFFDb" },
  "half a character": { text: "a\uD800b\uDC00", stored: "a\uFFFDb\uFFFD" },
  nothing: { text: "" },
}

export function testHostileRows(use: () => ExecutionsUnderTest): void {
  describe("hostile text", () => {
    it.each(Object.entries(texts))("%s", async (_name, { text, stored = text }) => {
      const { journal, executions, approvals, values } = use().stores.executions
      const scope = newScope()
      const row = executionRow(scope, { code: text })
      const call = doneCall(row, { key: `k${text}`, path: text, argsJson: text, answerJson: text, errorMessage: text })
      const approval = approvalRow(scope, { message: text, argsJson: text })
      // Beside an ordinary one, which must not suffer.
      const plain = executionRow(scope)
      await Promise.all([
        journal.append([{ kind: "execution", row: plain }], "now"),
        journal.append(
          [
            { kind: "execution", row },
            { kind: "call", row: call },
            { kind: "approval", row: approval },
          ],
          "now",
        ),
      ])
      await journal.append([outcomeRecord(row, { result: text, error: text, logs: text, emitted: text })], "now")
      expect(await executions.get(allOf(scope), row.id)).toMatchObject({
        code: stored,
        result: stored,
        error: stored,
        logs: stored,
        emitted: stored,
      })
      const { calls } = await use().other.executions.journal.read(scope, row.id)
      expect(calls).toEqual([{ ...call, key: `k${stored}`, path: stored, argsJson: stored, answerJson: stored, errorMessage: stored }])
      expect(await approvals.get(allOf(scope), approval.id)).toEqual({ ...approval, message: stored, argsJson: stored })
      expect(await executions.get(allOf(scope), plain.id)).toEqual(plain)

      const answer = { status: "accept", content: text, remember: null, answeredBy: text, answeredAt: later(1) } as const
      expect(await approvals.answer(scope.tenant, [approval.id], answer)).toMatchObject([{ content: stored, answeredBy: stored }])
      const key = { tenant: scope.tenant, session: text, name: text }
      expect(await values.put(key, text, later(60), sessionRoom(1000))).toBe("kept")
      expect(await values.get(key, later(0))).toBe(stored)
      expect(await executions.list({ ...allOf(scope), user: text }, {}, { after: text, limit: 5 })).toEqual([])
    })
  })
}
