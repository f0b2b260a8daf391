// The suite for plugins finds what is wrong with one, and finds nothing in a good one.
import { expect, test } from "vitest"
import { z } from "zod"
import { definePlugin, defineTool } from "../plugin/define.ts"
import type { Plugin, PluginTool } from "../plugin/definition.ts"
import { checkPlugin, openPlugin } from "./plugin-testing.ts"

const tool = (path: string, more: Partial<PluginTool> = {}): PluginTool =>
  defineTool({ path, name: "A Tool", description: "A tool.", inputSchema: z.strictObject({}), handler: () => ({ done: true }), ...more })

const plugin = (tools: PluginTool[]): Plugin => definePlugin({ id: "sample", name: "Sample", description: "Sample.", tools })

test("a good plugin has no problems", async () => {
  expect(
    await checkPlugin(plugin([tool("sample.items.get"), tool("sample.items.delete", { destructive: true })]), {
      calls: [{ path: "sample.items.delete" }],
    }),
  ).toEqual([])
})

test("a rule that is broken is all that is said", async () => {
  expect(await checkPlugin({ ...plugin([tool("sample.a")]), id: "other" })).toEqual([expect.stringContaining("must begin with 'other.'")])
})

test("what asks only because it declares nothing, throws in its schema or fails its call is said", async () => {
  const schema = z.strictObject({})
  const throwing = {
    "~standard": {
      ...schema["~standard"],
      validate: () => {
        throw new Error("bad schema")
      },
    },
  }
  const problems = await checkPlugin(plugin([tool("sample.items.create"), tool("sample.items.get", { inputSchema: throwing })]), {
    calls: [{ path: "sample.items.get" }, { path: "sample.items.list" }],
  })
  expect(problems).toEqual([
    "'sample.items.create' does not declare `destructive`, so every call requires approval. Declare destructive: false if the tool only reads, or destructive: true if it changes data",
    "The inputSchema of 'sample.items.get' throws instead of returning issues: bad schema",
    "'sample.items.get' failed with upstream_error: bad schema",
    "There is no tool 'sample.items.list' to call",
  ])
})

test("a plugin that needs a token says so where none is given", async () => {
  const service = definePlugin({
    ...plugin([tool("sample.a", { destructive: false, handler: (ctx) => ctx.auth.getToken("key") })]),
    authProviders: [{ id: "key", type: "api_key" }],
  })
  expect(await checkPlugin(service, { calls: [{ path: "sample.a" }] })).toEqual([expect.stringContaining("failed with auth_required")])
  const opened = await openPlugin(service, { tokens: { key: "abcdef" } })
  expect(await opened.call("sample.a")).toEqual({ ok: true, data: "***" })
  await opened.close()
})
