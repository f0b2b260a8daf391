// The file tools as a model reaches them: through a router that a config made, and a runtime.
import { mkdirSync } from "node:fs"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { ResponseInputItem, ResponseItem } from "../response-item.ts"
import { ToolRouter } from "../router.ts"
import { ToolCallRuntime } from "../runtime.ts"
import type { ToolsConfig } from "../tools-config.ts"
import { makeFolder } from "./testing/local-tool.ts"
import type { Folder } from "./testing/local-tool.ts"
import { TurnDiffTracker } from "./turn-diff-tracker.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder({ "a.txt": "one\n" })
})
afterEach(() => folder.remove())

const routerOf = (config: ToolsConfig = {}): ToolRouter => ToolRouter.fromConfig({ shell: "off", ...config }, new Map(), [])
const turn = { toolCallGate: { waitReady: async () => undefined } }

async function answers(items: readonly ResponseItem[], tracker = new TurnDiffTracker()): Promise<readonly ResponseInputItem[]> {
  const router = routerOf({ workspace: folder.path })
  const runtime = new ToolCallRuntime({ router, session: {}, turn, tracker })
  const { signal } = new AbortController()
  return Promise.all(
    items.map((item) => {
      const call = router.buildToolCall(item)
      if (call === null) throw new Error("The item is a call")
      return runtime.handleToolCall(call, signal)
    }),
  )
}

const functionCall = (name: string, args: object, call_id = "c"): ResponseItem => ({
  type: "function_call",
  name,
  call_id,
  arguments: JSON.stringify(args),
})
const patchCall = (...lines: readonly string[]): ResponseItem => ({
  type: "custom_tool_call",
  name: "apply_patch",
  call_id: "p",
  input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
})

test("a workspace offers four tools, of which those that read run side by side", () => {
  const router = routerOf({ workspace: folder.path })
  expect(router.specs.map((spec) => [spec.name, spec.type, router.toolSupportsParallel(spec.name)])).toEqual([
    ["read_file", "function", true],
    ["write_file", "function", false],
    ["search", "function", true],
    ["apply_patch", "freeform", false],
  ])
  expect(routerOf().specs).toEqual([])
  expect(routerOf({ workspace: folder.path, applyPatch: "function" }).specs.at(-1)?.type).toBe("function")
})

test("calls of one answer take effect in order, and their outputs have the kinds of the calls", async () => {
  const tracker = new TurnDiffTracker()
  const outputs = await answers(
    [
      functionCall("write_file", { file_path: "b.txt", content: "b\n" }, "1"),
      patchCall("*** Update File: b.txt", "@@", "-b", "+B"),
      functionCall("read_file", { file_path: "b.txt" }, "2"),
      functionCall("search", { pattern: "B" }, "3"),
    ],
    tracker,
  )
  expect(outputs).toEqual([
    { type: "function_call_output", call_id: "1", output: { content: "Success. Updated the following files:\nA b.txt\n", success: true } },
    { type: "custom_tool_call_output", call_id: "p", output: "Success. Updated the following files:\nM b.txt\n" },
    { type: "function_call_output", call_id: "2", output: { content: "L1: B", success: true } },
    { type: "function_call_output", call_id: "3", output: { content: "b.txt:1:B", success: true } },
  ])
  expect(tracker.unifiedDiff()).toBe("diff --git a/b.txt b/b.txt\nnew file mode 100644\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,1 @@\n+B\n")
})

test("failures are outputs of the call's kind", async () => {
  expect(await answers([patchCall("*** Delete File: nope"), functionCall("read_file", { file_path: "/etc/passwd" })])).toEqual([
    { type: "custom_tool_call_output", call_id: "p", output: expect.stringContaining("Failed to delete file nope") },
    {
      type: "function_call_output",
      call_id: "c",
      output: { content: expect.stringContaining("tools work inside the workspace"), success: false },
    },
  ])
  expect(folder.read()).toEqual({ "a.txt": "one\n" })
})

test("a workspace that is not there is an error of the config", () => {
  expect(() => routerOf({ workspace: folder.at("nope") })).toThrow("is not a folder. Name one that exists.")
  mkdirSync(folder.at("nope"))
  expect(routerOf({ workspace: folder.at("nope") }).specs).toHaveLength(4)
})
