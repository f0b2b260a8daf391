// The export of the audit over HTTP: complete, verifiable, safe in a spreadsheet, and for admins alone.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createChainCheck } from "../../../core/audit/check.ts"
import type { ExportLine } from "../../../core/audit/check.ts"
import { sha256 } from "../../../io/ids.ts"
import type { ExecutionServer } from "../testing/executions.ts"
import { startExecutionServer } from "../testing/executions.ts"

let server: ExecutionServer
beforeAll(async () => {
  server = await startExecutionServer()
  await server.run(`for (const name of ["a", "b"]) await tools.ledger.items.get({ name })`)
})
afterAll(() => server.close())

async function exported(query = "", token = server.tokens.human): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(`${server.url}/api/audit/export${query}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
}
const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "")
const entriesOf = (text: string) =>
  linesOf(text)
    .map((line) => JSON.parse(line) as ExportLine)
    .filter((line) => "id" in line)

function verify(text: string) {
  const check = createChainCheck(null, sha256)
  for (const line of linesOf(text)) check.add(line)
  return check.end()
}

describe("JSON lines", () => {
  test("have every call and change in the order of the chain, and verify", async () => {
    const { status, type, text } = await exported()
    expect([status, type]).toEqual([200, "application/x-ndjson; charset=utf-8"])
    const entries = entriesOf(text)
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index + 1))
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(["integration.add", "connection.create", "call"]))
    expect(entries.at(-1)).toMatchObject({ action: "audit.export", subject: "ndjson", user: "local", outcome: "ok" })
    expect(verify(text)).toMatchObject({ isIntact: true, rows: entries.length, breaks: 0 })
  })

  test("of a time have its entries alone, and still verify", async () => {
    const all = entriesOf((await exported()).text)
    const [from, to] = [all[2]?.at ?? "", all[6]?.at ?? ""]
    const { text } = await exported(`?from=${from}&to=${encodeURIComponent(to)}`)
    expect(entriesOf(text).map(({ id }) => id)).toEqual(all.filter(({ at }) => at >= from && at < to).map(({ id }) => id))
    expect(verify(text)).toMatchObject({ isIntact: true })
    const none = await exported("?from=2020-01-01&to=2020-02-01")
    expect([entriesOf(none.text), verify(none.text).isIntact]).toEqual([[], true])
    expect(entriesOf((await exported("?from=2020-01-01T00:00:00%2B01:00")).text).length).toBeGreaterThan(all.length)
  })

  test("of filters have what fits alone, and still verify", async () => {
    await server.run(`await tools.ledger.items.get({ name: "c" })`, { token: server.tokens.memberAgent })
    const all = entriesOf((await exported()).text)
    const queries = {
      "?action=call": all.filter(({ action }) => action === "call"),
      "?user=member": all.filter(({ user }) => user === "member"),
      "?subject=ledger.org.main.items.get&user=local": all.filter(({ subject, user }) => subject.endsWith("items.get") && user === "local"),
    }
    for (const [query, expected] of Object.entries(queries)) {
      expect(expected.length, query).toBeGreaterThan(0)
      const { text } = await exported(query)
      expect(entriesOf(text), query).toEqual(expected)
      expect(verify(text), query).toMatchObject({ isIntact: true, rows: expected.length })
    }
    const { text } = await exported("?format=csv&user=member")
    expect(text.trimEnd().split("\r\n")).toHaveLength(1 + all.filter(({ user }) => user === "member").length)
    expect((await exported("?format=csv&id=aud_absent")).text.trimEnd().split("\r\n")).toHaveLength(1)
  })

  test("are refused for a time that is none, before anything is written", async () => {
    for (const query of ["?from=yesterday---", "?to=2026-13-01", "?from=2026-11-01T09:30", "?format=xml", "?form=csv", "?from=1"])
      expect(await exported(query), query).toMatchObject({ status: 400 })
  })
})

test("CSV has the same fields, and no cell that a spreadsheet runs", async () => {
  for (const name of [`=HYPERLINK("http://evil")`, "+1", "-1", "@SUM(A1)", "\tx", 'say "hi", twice'])
    await server.call("POST", "/api/tokens", { body: { name, kind: "agent" } })
  const { status, type, text } = await exported("?format=csv")
  expect([status, type]).toEqual([200, "text/csv; charset=utf-8"])
  const [head, ...rows] = text.trimEnd().split("\r\n")
  expect(head).toBe("position,id,at,user,kind,tokenId,action,subject,executionId,decision,rule,outcome,details,previousHash,hash")
  expect(rows.length).toBe(entriesOf((await exported()).text).length - 1)
  expect(text).toContain(`"'=HYPERLINK(""http://evil"")"`)
  expect(text).toContain('"say ""hi"", twice"')
  expect(text).not.toMatch(/(?:^|,)"?[=+\-@\t]/m)
})

test("it is for admins, and holds nothing of another tenant", async () => {
  for (const who of ["agent", "member", "memberAgent"] as const)
    expect(await exported("", server.tokens[who]), who).toMatchObject({ status: 403, text: expect.stringContaining("forbidden") })
  const { text } = await exported("", server.tokens.stranger)
  expect(text).not.toContain("ledger")
  expect(verify(text)).toMatchObject({ isIntact: true })
  expect(await exported()).toMatchObject({ text: expect.stringMatching(/"action":"audit\.export".*"outcome":"forbidden"/) })
})

test("a client that goes away ends it", async () => {
  const leave = new AbortController()
  const response = await fetch(`${server.url}/api/audit/export`, {
    headers: { authorization: `Bearer ${server.tokens.human}` },
    signal: leave.signal,
  })
  leave.abort()
  await expect(response.text()).rejects.toThrow()
  expect(await server.call("GET", "/api/health")).toMatchObject({ status: 200 })
})
