// The tools of the fixture that ask for input: in rounds in the newest revision, by requests of their own in those before.
import { CLIENT_CAPABILITIES_META_KEY, acceptedContent, inputRequired, inputResponse } from "@modelcontextprotocol/server"
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequest,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import type { FixtureState } from "./mcp-fixture.ts"

type Answer = CallToolResult | InputRequiredResult
type Handler = (ctx: ServerContext, args: Record<string, unknown>) => Answer | Promise<Answer>

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] })
const none = z.object({})

const ask = (message: string, properties: Record<string, unknown>, required = Object.keys(properties)): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: { type: "object", properties, required } as never }) // schemas of primitives, as the protocol wants them
const askName = (message: string): InputRequest => ask(message, { name: { type: "string" } })
const sample = (words: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: words } }], maxTokens })

const contentOf = (ctx: ServerContext, key: string): Record<string, unknown> | undefined => acceptedContent(ctx.mcpReq.inputResponses, key)
const missing = (ctx: ServerContext, key: string): boolean => inputResponse(ctx.mcpReq.inputResponses, key).kind === "missing"
const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

export function registerRounds(server: McpServer, state: FixtureState): void {
  const tool = (name: string, description: string, handler: Handler, shape: z.ZodObject = none): void =>
    void server.registerTool(name, { description, inputSchema: shape, annotations: { readOnlyHint: true } }, (args, ctx) => {
      state.ledger.calls.push(name)
      return handler(ctx, args)
    })
  registerInOneRound(tool)
  registerWithState(tool, state)
  registerOlder(tool)
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks for context first." }, (ctx: ServerContext) => {
    const content = contentOf(ctx, "user_context")
    const request = ask("What context should the prompt use?", { context: { type: "string" } })
    if (content === undefined) return inputRequired({ inputRequests: { user_context: request } })
    return { messages: [{ role: "user", content: { type: "text", text: `Use ${shown(content["context"])}` } }] }
  })
}

type Define = (name: string, description: string, handler: Handler, shape?: z.ZodObject) => void

function registerInOneRound(tool: Define): void {
  tool("test_input_required_result_elicitation", "Asks for a name.", (ctx) => {
    const view = inputResponse(ctx.mcpReq.inputResponses, "user_name")
    if (view.kind === "elicit" && view.action !== "accept") return text(`They said ${view.action}`)
    const name = contentOf(ctx, "user_name")?.["name"]
    if (typeof name === "string") return text(`Hello, ${name}!`)
    return inputRequired({ inputRequests: { user_name: askName("What is your name?") } })
  })
  tool("test_input_required_result_sampling", "Asks a model.", (ctx) => {
    const view = inputResponse(ctx.mcpReq.inputResponses, "capital_question")
    if (view.kind === "sampling") return text(shown(view.result.content))
    return inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?", 100) } })
  })
  tool("test_input_required_result_list_roots", "Asks for roots.", (ctx) => {
    const view = inputResponse(ctx.mcpReq.inputResponses, "client_roots")
    if (view.kind === "roots") return text(shown(view.roots))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  tool("test_input_required_result_capabilities", "Asks only what the client can answer.", (ctx) => {
    const envelope: Readonly<Record<string, unknown>> = ctx.mcpReq.envelope ?? {}
    const can = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities // the library has checked it
    const requests: Record<string, InputRequest> = {}
    if (can.elicitation !== undefined) requests["user_name"] = askName("What is your name?")
    if (can.sampling !== undefined) requests["greeting"] = sample("Generate a greeting", 50)
    const isAnswered = Object.keys(requests).some((key) => !missing(ctx, key))
    return isAnswered || Object.keys(requests).length === 0 ? text("asked") : inputRequired({ inputRequests: requests })
  })
  tool("test_missing_capability", "Needs a model.", () => inputRequired({ inputRequests: { greeting: sample("Greet", 10) } }))
  tool("test_streaming_elicitation", "Asks after it told its progress.", async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    if (progressToken !== undefined) await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } })
    if (!missing(ctx, "user_name")) return text("asked")
    return inputRequired({ inputRequests: { user_name: askName("What is your name?") } })
  })
  const visited: Handler = (ctx, args) => {
    const view = inputResponse(ctx.mcpReq.inputResponses, "visit")
    if (view.kind === "elicit") return text(`visited: ${view.action}`)
    const url = typeof args["url"] === "string" ? args["url"] : "https://example.com/visit"
    return inputRequired({ inputRequests: { visit: inputRequired.elicitUrl({ message: "Please visit", url }) } })
  }
  tool("ask_url", "Wants a page to be visited.", visited, z.object({ url: z.string().optional() }))
}

function registerWithState(tool: Define, { codec }: FixtureState): void {
  const stateOf = (ctx: ServerContext): Record<string, unknown> | undefined => ctx.mcpReq.requestState<Record<string, unknown>>()
  const confirm = ask("Please confirm", { ok: { type: "boolean" } })
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]) {
    tool(name, "Asks, with a state.", async (ctx) => {
      const isAnswered = contentOf(ctx, "confirm") !== undefined && stateOf(ctx)?.["tool"] === name
      if (isAnswered) return text("state-ok")
      return inputRequired({ inputRequests: { confirm }, requestState: await codec.mint({ tool: name }, ctx) })
    })
  }
  tool("test_input_required_result_multiple_inputs", "Asks several things at once.", async (ctx) => {
    const isComplete = ["user_name", "greeting", "client_roots"].every((key) => !missing(ctx, key))
    if (isComplete && stateOf(ctx) !== undefined) return text("All inputs are here")
    const inputRequests = {
      user_name: askName("What is your name?"),
      greeting: sample("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    }
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: 1 }, ctx) })
  })
  tool("test_input_required_result_multi_round", "Asks twice, one thing after the other.", async (ctx) => {
    const state = stateOf(ctx)
    const color = contentOf(ctx, "step2")?.["color"]
    if (state?.["name"] !== undefined && color !== undefined) return text(`${shown(state["name"])} likes ${shown(color)}`)
    const name = contentOf(ctx, "step1")?.["name"] ?? state?.["name"]
    if (name === undefined)
      return inputRequired({
        inputRequests: { step1: askName("Step 1: What is your name?") },
        requestState: await codec.mint({ round: 1 }, ctx),
      })
    const step2 = ask("Step 2: What is your favorite color?", { color: { type: "string" } })
    return inputRequired({ inputRequests: { step2 }, requestState: await codec.mint({ round: 2, name }, ctx) })
  })
}

/** Tools that the scenarios of the revision before call; the library turns rounds into requests for it. */
function registerOlder(tool: Define): void {
  const asked =
    (key: string, request: InputRequest, prefix: string): Handler =>
    (ctx) => {
      const view = inputResponse(ctx.mcpReq.inputResponses, key)
      if (view.kind === "missing") return inputRequired({ inputRequests: { [key]: request } })
      if (view.kind === "sampling") return text(`${prefix}${shown(view.result.content)}`)
      return text(view.kind === "elicit" ? `${prefix}action=${view.action}, content=${JSON.stringify(view.content ?? {})}` : prefix)
    }
  tool(
    "test_sampling",
    "Asks a model.",
    (ctx, args) => asked("prompt", sample(shown(args["prompt"]), 100), "LLM response: ")(ctx, args),
    z.object({ prompt: z.string() }),
  )
  const contact = {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  }
  tool(
    "test_elicitation",
    "Asks for a contact.",
    (ctx, args) => asked("contact", ask(shown(args["message"]), contact), "User response: ")(ctx, args),
    z.object({ message: z.string() }),
  )
  const defaults = {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }
  tool(
    "test_elicitation_sep1034_defaults",
    "Asks with defaults.",
    asked("defaults", ask("Please check", defaults, []), "Elicitation completed: "),
  )
  const options = ["option1", "option2", "option3"]
  const titled = (word: string) =>
    [1, 2, 3].map((n) => ({ const: `value${n}`, title: `${["First", "Second", "Third"][n - 1] ?? ""} ${word}` }))
  const enums = {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  }
  tool("test_elicitation_sep1330_enums", "Asks with choices.", asked("enums", ask("Please choose", enums, []), "Elicitation completed: "))
}
