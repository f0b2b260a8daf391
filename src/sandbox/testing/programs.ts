// Conformance of code that performs a call: its input, and what it can reach.
import { describe, expect, it } from "vitest"
import type { Sandbox, SandboxProgram } from "../sandbox.ts"
import { createLedgerHost, newRun } from "./host.ts"

export function testPrograms(use: () => Sandbox): void {
  describe("programs", () => {
    const run = async (code: string, program: Partial<SandboxProgram> = {}) => {
      const host = createLedgerHost()
      const given = { inputJson: '{"a":2,"b":[1,{"c":"ä\\u2028"}]}', hasTools: true, ...program }
      const outcome = await use().run({ ...newRun(code), program: given }, host)
      const result = outcome.status === "returned" && outcome.resultJson !== null ? (JSON.parse(outcome.resultJson) as unknown) : outcome
      return { result, calls: host.calls }
    }

    it.each([
      ["a body", "return input.a + input.b.length"],
      ["an expression", "input.a + input.b.length"],
      ["a function", "(input) => input.a + input.b.length"],
      ["a function that takes its input apart", "async ({ a, b }) => a + b.length"],
      [
        "a default export in TypeScript",
        "export default async (input: { a: number; b: unknown[] }): Promise<number> => input.a + input.b.length",
      ],
    ])("see their input in %s", async (_name, code) => {
      expect((await run(code)).result).toBe(4)
    })

    it("get the input as it is", async () => {
      expect((await run("return input")).result).toEqual({ a: 2, b: [1, { c: "ä\u2028" }] })
      expect((await run("return input", { inputJson: "null" })).result).toBeNull()
      expect((await run('return Object.getPrototypeOf(input)["x"]', { inputJson: '{"__proto__":{"x":1}}' })).result).toMatchObject({
        status: "returned",
      })
    })

    it("call tools, which a function finds beside its input as well", async () => {
      const { result, calls } = await run("async (input, { tools }) => (await tools.a.b({ n: input.a })).data.args")
      expect(result).toEqual({ n: 2 })
      expect(calls).toHaveLength(1)
    })

    it.each(["typeof tools", "typeof store", "typeof load", "(input, more) => typeof more.tools", "typeof globalThis.tools"])(
      "have no tools where they must not: %s",
      async (code) => {
        expect((await run(code, { hasTools: false })).result).toBe("undefined")
      },
    )

    it("are only read where that is all that is wanted: nothing runs, and what cannot be read is told with its place", async () => {
      const parse = (code: string) => use().run({ ...newRun(code), isOnlyParsed: true }, host)
      const host = createLedgerHost()
      expect(await parse("console.log('ran')\nawait tools.a.b({})\nreturn 1")).toMatchObject({
        status: "returned",
        resultJson: null,
        report: { logs: [] },
      })
      expect(await parse("export default async (input: { a: number }): Promise<number> => input.a")).toMatchObject({ status: "returned" })
      expect(host.calls).toHaveLength(0)
      expect(await parse("const a = 1\nconst b = = 2\nreturn a")).toMatchObject({
        status: "threw",
        error: { code: "syntax", line: 2, column: 11 },
      })
    })

    it("are not in the code of other runs", async () => {
      const outcome = await use().run(newRun("return [typeof input, typeof tools]"), createLedgerHost())
      expect(outcome).toMatchObject({ status: "returned", resultJson: '["undefined","object"]' })
    })
  })
}
