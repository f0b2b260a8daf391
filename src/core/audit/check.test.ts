// Tests that whatever is done to an exported audit is found, and where.
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { chainStart, chainText } from "./chain.ts"
import type { AuditEntry, ChainLink, ChainPlace } from "./chain.ts"
import { createChainCheck } from "./check.ts"
import type { ChainReport, ExportHeader, ExportLine } from "./check.ts"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
const entry = (number: number): AuditEntry => ({
  tenant: "acme",
  id: `aud_${number}`,
  at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  user: "alice",
  kind: "human",
  tokenId: null,
  action: "policy.create",
  subject: "notes.**",
  executionId: null,
  decision: null,
  rule: null,
  outcome: "ok",
  details: { id: `pol_${number}` },
})

type Linked = AuditEntry & ChainLink
function chainOf(entries: readonly AuditEntry[], start: ChainPlace = chainStart): Linked[] {
  let before = start
  return entries.map((one) => {
    const link = { position: before.position + 1, previousHash: before.hash }
    before = { position: link.position, hash: sha256(chainText(one, link)) }
    return { ...one, ...link, hash: before.hash }
  })
}

const whole = chainOf([1, 2, 3, 4, 5].map(entry))
function placeAt(at: number): ChainPlace {
  const { position, hash } = whole[at - 1] ?? chainStart
  return { position, hash }
}
const header: ExportHeader = { tenant: "acme", after: chainStart, through: placeAt(5), beginsAt: "", from: null, to: null }

function check(lines: readonly ExportLine[], head: Partial<ExportHeader> = {}, known: ChainPlace | null = null): ChainReport {
  const checking = createChainCheck(known, sha256)
  for (const line of [{ export: { ...header, ...head } }, ...lines]) checking.add(JSON.stringify(line))
  return checking.end()
}

const at = (position: number, change: Partial<Linked>): Linked[] =>
  whole.map((line) => (line.position === position ? { ...line, ...change } : line))
const without = (...positions: number[]): Linked[] => whole.filter(({ position }) => !positions.includes(position))
const outsider = { ...entry(9), position: null, previousHash: null, hash: null }

describe("an audit that is as it was written", () => {
  it("is intact, and says from when to when", () => {
    expect(check(whole)).toEqual({
      isIntact: true,
      rows: 5,
      from: entry(1).at,
      to: entry(5).at,
      outside: 0,
      omitted: 0,
      pruned: [],
      head: { position: 5, hash: whole[4]?.hash },
      breaks: 0,
      firstBreak: null,
    })
  })

  it("may be empty, without its old entries, or a part of the whole", () => {
    expect(check([], { through: chainStart })).toMatchObject({ isIntact: true, rows: 0, from: null })
    expect(check(without(1, 2), { after: placeAt(2) })).toMatchObject({ isIntact: true, rows: 3 })
    const [second, third, fourth] = whole.slice(1, 4)
    if (!second || !third || !fourth) throw new Error("The chain has five entries")
    const { position, previousHash, hash } = third
    const part = [second, { omitted: { position, previousHash, hash } }, fourth]
    expect(check(part, { after: placeAt(1), through: placeAt(4) })).toMatchObject({ isIntact: true, rows: 2, omitted: 1 })
    expect(check([{ pruned: placeAt(2) }, ...without(1, 2)])).toMatchObject({ isIntact: true, rows: 3 })
  })

  it("may have entries of earlier versions before the chain began", () => {
    expect(check([outsider, ...whole], { beginsAt: "2026-02-01" })).toMatchObject({ isIntact: true, rows: 6, outside: 1 })
  })

  it("says what retention has deleted, before the export and meanwhile", () => {
    expect(check(without(1, 2), { after: placeAt(2) })).toMatchObject({ isIntact: true, pruned: [{ from: 1, to: 2 }] })
    const [, , third, , fifth] = whole
    const lines: ExportLine[] = [third, { pruned: placeAt(4) }, fifth].flatMap((line) => line ?? [])
    expect(check(lines, { after: placeAt(2) })).toMatchObject({
      isIntact: true,
      pruned: [
        { from: 1, to: 2 },
        { from: 4, to: 4 },
      ],
    })
    // Of some time only, nothing is known about what is before it.
    expect(check(without(1, 2), { after: placeAt(2), from: "2026-01-01" })).toMatchObject({ isIntact: true, pruned: [] })
  })

  it("has no beginning that was removed without retention", () => {
    const messageOf = (...given: Parameters<typeof check>): string => check(...given).firstBreak?.message ?? ""
    expect(messageOf(without(1, 2))).toMatch(/^The entries at positions 1 to 2 were removed, .*; retention deleted nothing$/)
    expect(messageOf(without(1, 2, 3), { after: placeAt(2) })).toMatch(
      /position 3 was removed, .*; retention deleted only up to position 2$/,
    )
    expect(messageOf(without(1, 2), { after: { position: 2, hash: "forged" } })).toMatch(/^The entries up to position 2 were removed, or/)
    const known = { position: 2, hash: "0".repeat(64) }
    expect(messageOf(without(1, 2), { after: placeAt(2) }, known)).toMatch(/position 2 was changed before it was deleted/)
  })
})

describe("found and named:", () => {
  const fields = Object.keys(entry(1)) as (keyof AuditEntry)[] // an entry has these alone
  it.each(fields)("a changed %s", (field) => {
    expect(check(at(3, { [field]: "forged" }))).toMatchObject({ isIntact: false, firstBreak: { kind: "changed", position: 3 } })
  })

  it.each([
    ["a removed entry", without(3), { kind: "removed", position: 3, id: null }],
    ["a removed first entry", without(1), { kind: "removed", position: 1 }],
    ["a removed last entry", without(5), { kind: "removed", position: 5 }],
    ["several removed at the end", without(4, 5), { kind: "removed", position: 4 }],
    ["all removed", [], { kind: "removed", position: 1 }],
    ["two that changed their places", at(2, { position: 3 }).map((line) => (line.id === "aud_3" ? { ...line, position: 2 } : line)), {}],
    ["one that stands twice", [...whole.slice(0, 3), ...whole.slice(2)], { kind: "inserted", position: 3, id: "aud_3" }],
    ["one outside of the chain", [outsider, ...whole], { kind: "inserted", position: null, id: "aud_9" }],
    ["one behind the end", chainOf([1, 2, 3, 4, 5, 6].map(entry)), { kind: "inserted", position: 6, id: "aud_6" }],
    ["one at a place that was deleted", whole, { kind: "inserted", position: 1 }, { after: placeAt(2) }],
    ["another tenant's", whole, { kind: "changed", position: 1 }, { tenant: "other" }],
    [
      "a change with a hash that fits it",
      at(3, chainOf([{ ...entry(3), user: "bob" }], placeAt(2))[0] ?? {}),
      { kind: "changed", position: 3 },
    ],
    ["an end that was written anew", chainOf([entry(1), entry(2), entry(3), entry(4), { ...entry(5), user: "bob" }]), { position: 5 }],
    ["a field that nobody wrote", [{ ...whole[0], note: "harmless" } as Linked, ...whole.slice(1)], { kind: "changed" }],
  ] as [string, ExportLine[], object, Partial<ExportHeader>?][])("%s", (_name, lines, firstBreak, head = {}) => {
    expect(check(lines, head)).toMatchObject({ isIntact: false, firstBreak })
  })

  it("a chain that was written anew, by an earlier head", () => {
    const anew = chainOf([{ ...entry(1), user: "bob" }, ...[2, 3, 4, 5].map(entry)])
    const through = anew[4] ?? chainStart
    expect(check(anew, { through })).toMatchObject({ isIntact: true })
    expect(check(anew, { through }, placeAt(4))).toMatchObject({ isIntact: false, firstBreak: { kind: "changed", position: 4 } })
    expect(check(whole, {}, placeAt(4))).toMatchObject({ isIntact: true })
    expect(check(without(5), { through: placeAt(4) }, placeAt(5))).toMatchObject({ firstBreak: { kind: "removed", position: 5 } })
  })

  it("lines that are cut or garbled", () => {
    const checking = createChainCheck(null, sha256)
    checking.add(JSON.stringify({ export: header }))
    checking.add(JSON.stringify(whole[0]).slice(0, 40))
    expect(checking.end()).toMatchObject({
      breaks: 2,
      firstBreak: { kind: "changed", message: expect.stringContaining("Line 2") as string },
    })
  })
})

it("what is no export is refused", () => {
  for (const text of ["", "{}", "[]", "position,id", JSON.stringify(whole[0]), '{"export":{}}'])
    expect(() => createChainCheck(null, sha256).add(text), text).toThrow("no audit export")
  expect(() => createChainCheck(null, sha256).end()).toThrow("no audit export")
  expect(() => check([{ export: header }])).toThrow("one export at a time")
})
