// Tests the lines of failed destructurings against those that V8 reports: right, or none, and never a wrong one.
import { Script } from "node:vm"
import fc from "fast-check"
import { expect, test } from "vitest"
import { createLedgerHost, failureOf, runWith } from "../../testing/host.ts"
import { sandboxOpener } from "../testing/open.ts"

/** `$` is another number in each statement, so that names do not meet. */
const sound = [
  "const v$ = 1",
  "const v$ = r.ok",
  "const { ok: v$ } = r",
  "const [v$] = [1]",
  "const [v$, w$] = r.list",
  "for (let i = 0; i < 2; i++) {\n  const { a } = r\n  r.n = i\n}",
  "for (const { a } of [r]) {\n  r.n = a\n}",
  "for (const [k, v] of Object.entries(r)) {\n  r.last = k\n}",
  "for (let i = 0; i < 2; i++) r.n += i",
  "if (r.no) {\n  const { q } = r.no\n  r.list.push(q)\n}",
  "if (r.ok) {\n  const { q } = r\n} else {\n  const { z } = r.bad\n}",
  "const v$ = r.list.map(({ a }) => a)",
  "const f$ = ({ a }) => {\n  const { b } = a\n  return b\n}",
  "function g$([a, b]) {\n  return a\n}",
  "const v$ = [...r.list]",
  "const v$ = { ...r.nothing, m({ x }) { return x } }",
  "class C$ {\n  m({ a }) { return a }\n}",
  "const v$ = await Promise.all([1].map(async ({ a }) => a))",
  "try {\n  const { a } = r\n} catch (e) {\n  const { message } = e\n}",
  "switch (r.n) {\n  case 77: { const { k } = r.bad; break }\n  default: r.z = 1\n}",
  "let l$\n;({ ok: l$ } = r)",
  "// const { a } = r.bad",
]
const failing = [
  "const { x$ } = r.bad",
  "const [y$] = r.bad",
  "for (const z of r.bad) {\n  r.n = z\n}",
  "const { a$: { b$ } } = r",
  "const v$ = [1, ...r.bad]",
  "r.list2 = [null].map(({ a }) => a)",
  "const h$ = ({ a }) => a\nh$(r.bad)",
  "const p$ = (x) => {\n  const { y } = x\n  return y\n}\np$(r.bad)",
  "for (const { a } of r.nulls) {\n  r.n = 1\n}",
  "let m$\n;[m$] = r.bad",
  "const { x$ = r.n, w$: { v$ } } = r",
  "for (let i = 0; i < 2; i++) {\n  const { a } = r.bad\n}",
  "await (async () => {\n  const s = await r.n\n  const { a } = r.bad\n})()",
  "await Promise.resolve(r.bad).then(({ a }) => a)",
]

const programs = fc
  .tuple(
    fc.array(fc.constantFrom(...sound), { maxLength: 5 }),
    fc.constantFrom(...failing),
    fc.array(fc.constantFrom(...sound), { maxLength: 2 }),
  )
  .map(([before, broken, behind]) =>
    ["const r = { ok: true, list: [1, 2], n: 0, nulls: [null] }", ...before, broken, ...behind]
      .map((statement, index) => statement.replaceAll("$", String(index)))
      .join("\n"),
  )

async function lineOfV8(code: string): Promise<number> {
  try {
    await new Script(`(async()=>{\n${code}\n})()`, { filename: "guest.js" }).runInThisContext()
  } catch (error) {
    return Number(/guest\.js:(\d+)/.exec(error instanceof Error ? (error.stack ?? "") : "")?.[1]) - 1
  }
  throw new Error("The code must fail")
}

const open = sandboxOpener()

test("the line of a failed destructuring is right, or not told", async () => {
  const sandbox = open()
  let told = 0
  const runs = 300
  await fc.assert(
    fc.asyncProperty(programs, async (code) => {
      const { line } = failureOf(await runWith(sandbox, code, createLedgerHost()))
      if (line === undefined) return
      told += 1
      expect(line).toBe(await lineOfV8(code))
    }),
    { numRuns: runs, seed: 1 },
  )
  expect(told).toBeGreaterThan(runs * 0.8)
})
