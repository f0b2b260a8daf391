// The tools of the fixture that answer in one go: every kind of content, progress, logs, errors, and changes of mind.
import { setTimeout } from "node:timers/promises"
import { fromJsonSchema } from "@modelcontextprotocol/server"
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server"
import { z } from "zod"
import type { FixtureState } from "./mcp-fixture.ts"

/** One red pixel. */
export const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
/** No sound at all. */
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] })
const none = z.object({})

/** Answers what takes up the mood later. */
export function registerTools(server: McpServer, state: FixtureState): () => void {
  registerContentTools(server)
  registerReports(server)
  registerOwn(server, state)
  return registerChanges(server, state)
}

function registerContentTools(server: McpServer): void {
  const image = { type: "image", data: pixel, mimeType: "image/png" } as const
  const make = (name: string, description: string, content: CallToolResult["content"]): void =>
    void server.registerTool(name, { description, inputSchema: none }, () => ({ content }))
  make("test_simple_text", "Returns a text.", [{ type: "text", text: "This is a simple text response for testing." }])
  make("test_image_content", "Returns an image.", [image])
  make("test_audio_content", "Returns a sound.", [{ type: "audio", data: silence, mimeType: "audio/wav" }])
  make("test_embedded_resource", "Returns a resource.", [
    {
      type: "resource",
      resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." },
    },
  ])
  make("test_multiple_content_types", "Returns several kinds of content.", [
    { type: "text", text: "Multiple content types test:" },
    image,
    {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: JSON.stringify({ test: "data", value: 123 }),
      },
    },
  ])
  server.registerTool("test_error_handling", { description: "Always fails.", inputSchema: none }, () => {
    throw new Error("This tool intentionally returns an error for testing")
  })
}

function registerReports(server: McpServer): void {
  server.registerTool("test_tool_with_progress", { description: "Tells how far it is.", inputSchema: none }, async (_args, ctx) => {
    for (const progress of [0, 50, 100]) {
      await tellProgress(ctx, progress)
      await setTimeout(50)
    }
    return text("Progress was told")
  })
  const logging = async (ctx: ServerContext): Promise<CallToolResult> => {
    for (const words of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.log("info", words)
      await setTimeout(50)
    }
    return text("Logs were sent")
  }
  server.registerTool("test_tool_with_logging", { description: "Logs.", inputSchema: none }, (_args, ctx) => logging(ctx))
  server.registerTool("test_logging_tool", { description: "Logs.", inputSchema: none }, (_args, ctx) => logging(ctx))
}

async function tellProgress(ctx: ServerContext, progress: number): Promise<void> {
  const progressToken = ctx.mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100, message: `at ${progress}` } })
}

function registerChanges(server: McpServer, state: FixtureState): () => void {
  server.registerTool("test_trigger_tool_change", { description: "Changes the tools.", inputSchema: none }, () => {
    state.toolsChanged()
    return text("changed")
  })
  server.registerTool("test_trigger_prompt_change", { description: "Changes the prompts.", inputSchema: none }, () => {
    state.promptsChanged()
    return text("changed")
  })
  const annotations = { readOnlyHint: true }
  const late = server.registerTool("late", { description: "Came later.", inputSchema: none, annotations }, () => text("late"))
  // A server that changes its mind: what it says of this tool follows the mood.
  const weather = server.registerTool("weather", { description: "", inputSchema: z.object({ city: z.string() }) }, ({ city }) => {
    state.ledger.calls.push(`weather ${city}`)
    return { content: [{ type: "text", text: `Sunny in ${city}` }], structuredContent: { city, sky: "sunny" } }
  })
  const swing = (): void => {
    const { description, isReadOnly, extraTool } = state.mood
    late.update({ enabled: extraTool })
    weather.update({ description, annotations: { readOnlyHint: isReadOnly } })
  }
  swing()
  return swing
}

function registerOwn(server: McpServer, state: FixtureState): void {
  const readOnly = { readOnlyHint: true }
  server.registerTool(
    "slow",
    { description: "Takes its time.", inputSchema: z.object({ ms: z.number(), tag: z.string() }), annotations: readOnly },
    async ({ ms, tag }, ctx) => {
      state.ledger.calls.push(`slow ${tag}`)
      const { signal } = ctx.mcpReq
      await setTimeout(ms, null, { signal }).catch(() => void state.ledger.cancelled.push(tag))
      return text(`slept ${tag}`)
    },
  )
  server.registerTool("files.write-all", { description: "Writes.", inputSchema: none, annotations: { destructiveHint: false } }, () => {
    state.ledger.calls.push("write")
    return text("written")
  })
  server.registerTool("echo_header", { description: "Echoes a header.", inputSchema: none, annotations: readOnly }, (_args, ctx) =>
    text(ctx.http?.req?.headers.get("x-key") ?? "none"),
  )
  const mirrored: { type: "string" } = Object.assign({ type: "string" } as const, { "x-mcp-header": "Region" })
  const regional = fromJsonSchema<{ region: string }>({
    type: "object",
    properties: { region: mirrored },
    required: ["region"],
  })
  server.registerTool(
    "regional",
    { description: "Mirrors an argument in a header.", inputSchema: regional, annotations: readOnly },
    ({ region }, ctx) => text(`${region} ${ctx.http?.req?.headers.get("mcp-param-region") ?? "no header"}`),
  )
  // Real servers break their own promises.
  const promised = z.object({ kept: z.boolean() })
  server.registerTool(
    "broken_promise",
    { description: "Answers otherwise than it says.", inputSchema: none, outputSchema: promised, annotations: readOnly },
    () => ({
      content: [{ type: "text", text: "no structure" }],
      structuredContent: { kept: true, extra: 1 },
    }),
  )
}
