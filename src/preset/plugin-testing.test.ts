// A plugin in the real product: what its questions become where somebody can be asked, and where nobody can.
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { definePlugin, defineTool } from "../plugin/define.ts"
import { openPlugin } from "./plugin-testing.ts"
import type { OpenPlugin } from "./plugin-testing.ts"

const plugin = definePlugin({
  id: "asking",
  name: "Asking",
  description: "Asks.",
  tools: [
    defineTool({
      path: "asking.colours.choose",
      destructive: false,
      name: "Choose a Colour",
      description: "Asks for a colour.",
      inputSchema: z.strictObject({}),
      async handler(ctx) {
        const answer = await ctx.elicit({
          message: "Which colour?",
          requestedSchema: z.object({ colour: z.string().refine((text) => text !== "none", "there is no such colour") }),
        })
        return answer.action === "accept" ? answer.content : answer.action
      },
    }),
  ],
})

let bench: OpenPlugin
beforeAll(async () => {
  bench = await openPlugin(plugin)
})
afterAll(() => bench.close())

test("a call that cannot pause says that a human is asked, and is not taken for a cancelled one", async () => {
  const refused = {
    ok: false,
    error: { code: "approval_required", details: { question: { kind: "form", message: "Which colour?" } } },
  }
  expect(await bench.executor.execute("asking.colours.choose", {})).toMatchObject(refused)
  const code = "try { return await tools.asking.colours.choose() } catch (error) { return error.message }"
  const reply = await bench.executor.run(code, { approval: "throw" })
  expect(JSON.stringify(reply.structured)).toContain("cannot pause")
})

test("an answer that does not fit is asked for again", async () => {
  const answers = ["none", "red"].map((colour) => ({ action: "accept", content: { colour } }) as const)
  expect(await bench.call("asking.colours.choose", {}, answers)).toEqual({ ok: true, data: { colour: "red" } })
  expect(await bench.call("asking.colours.choose", {}, answers.slice(0, 1))).toEqual({ ok: true, data: "decline" })
})
