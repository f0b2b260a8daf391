// Makes the calls of one answer: through the runtime of agent tools, which decides when each may start, and from there through the gate.
//
// Each call has a key of its step and place, so that a replay finds its answer. What waits for a human holds back
// whatever comes after it; those calls are still shown to the human, so that all questions of one answer come together.
import type { AgentProgram } from "../../core/agents/agent.ts"
import { canonicalJson } from "../../core/json/canonical.ts"
import type { Limits } from "../../core/limits.ts"
import type { ToolResult } from "../../core/result.ts"
import { FunctionCallError, ToolCallRuntime, ToolRegistryBuilder, ToolRouter } from "../../agent-tools/index.ts"
import type { ToolHandler, ToolOutput } from "../../agent-tools/index.ts"
import type { ModelPart } from "../../models/model.ts"
import type { ProgramHost, RecalledAnswer } from "../../sandbox/program-runner.ts"
import type { BoundTool, ToolBinder } from "./bound-tools.ts"
import { readAnswer, textOf } from "./answers.ts"
import { coerceInput } from "./coerce.ts"
import { callKey, shownName, writtenCharsMax, writtenOf } from "./recorded-calls.ts"
import { answerSearch, searchToolSpecs, textIn, toolNamed } from "./search-tools.ts"

export type ModelCall = Extract<ModelPart, { type: "call" }>

export type CallOutput = {
  readonly call: ModelCall
  readonly tool: string
  readonly text: string
  readonly ok: boolean
  readonly value: unknown
  /** What the model wrote, where it was read as something else; null elsewhere. */
  readonly written: string | null
  /** As it was read. */
  readonly argsJson: string
}

/** `outputs`: one for each call, in their order. `pending`: the keys of those that wait for a human. */
export type BatchOutcome = { readonly outputs: readonly CallOutput[]; readonly pending: readonly string[] }

export type Batch = {
  readonly step: number
  readonly seq: number
  readonly calls: readonly ModelCall[]
  /** Those that are not made, by their place, and what the model is told instead. */
  readonly refused: ReadonlyMap<number, string>
  /** Those that are not made because this run and those above it may make no more together. */
  readonly spent: ReadonlySet<number>
  /** Null: the model searches for its tools. */
  readonly tools: readonly BoundTool[] | null
  readonly program: AgentProgram
  readonly signal: AbortSignal
}

export type CallParts = { readonly binder: ToolBinder; readonly limits: Limits }

export async function makeCalls(batch: Batch, host: ProgramHost, parts: CallParts): Promise<BatchOutcome> {
  const pending = new Map<number, string>()
  const values = new Map<number, { readonly tool: string; readonly value: unknown }>()
  const perform = performer(batch, host, parts, pending, values)
  const runtime = new ToolCallRuntime({
    router: routerFor(batch, perform, parts.limits),
    session: {},
    turn: { toolCallGate: { waitReady: async () => {} } },
  })
  const alone = await madeAlone(batch, host, parts)
  const running = runtime.startBatch(batch.signal)
  // The provider's ids may repeat; places do not.
  for (const [place, { name, input }] of batch.calls.entries()) {
    if (batch.refused.has(place)) continue
    const routed = alone.has(place) ? aloneName : isToolName(name) ? name : noName
    running.add({ type: "function_call", name: routed, arguments: input, call_id: String(place) })
  }
  const made = new Map((await running.outputs()).map((item) => ["call_id" in item ? item.call_id : "", item]))
  const outputs = batch.calls.map((call, place): CallOutput => {
    const item = made.get(String(place))
    const output =
      item?.type === "function_call_output"
        ? item.output
        : { content: batch.refused.get(place) ?? "The call was not made.", success: false }
    const { tool = host.addressOf(keyOf(batch, place)) ?? shownName(call.name), value } = values.get(place) ?? {}
    const argsJson = host.argsOf(keyOf(batch, place))
    const read = { written: argsJson === null ? null : writtenOf(call, argsJson), argsJson: argsJson ?? "" }
    const isWaiting = pending.has(place)
    const text = isWaiting ? "Not made: the run ended while this call waited for a human." : output.content
    return { call, tool, text, ok: !isWaiting && output.success === true, value: value ?? text, ...read }
  })
  return { outputs, pending: [...pending.keys()].map((place) => keyOf(batch, place)) }
}

const keyOf = ({ step }: Batch, place: number): string => callKey(step, place)

/** Under this name `call_tool` is made while nothing else is. */
const aloneName = "call_tool_alone"

/** What no tool can be called: such a call is answered as every other that names none. */
const noName = "no_tool"
const isToolName = (name: string): boolean => /^[a-zA-Z0-9_-]{1,64}$/.test(name)

/** Which calls of `call_tool` may not be made beside others: what they call decides. */
async function madeAlone(batch: Batch, host: ProgramHost, { binder, limits }: CallParts): Promise<ReadonlySet<number>> {
  const { tools: patterns, executionMode } = batch.program.agent.definition
  const alone = new Set<number>()
  if (batch.tools !== null || executionMode !== "parallel_safe") return alone
  for (const [place, { name, input }] of batch.calls.entries()) {
    if (name !== "call_tool" || batch.refused.has(place) || host.recall(keyOf(batch, place)) !== null) continue
    const coerced = coerceInput(input, {}, limits)
    const principal = await host.current()
    const tool = !coerced.ok || principal === null ? null : await toolNamed(textIn(coerced.args, "name"), principal, patterns, binder)
    if (tool?.isSafe !== true) alone.add(place)
  }
  return alone
}

type Perform = (place: number, name: string, input: string) => Promise<ToolOutput>

function performer(
  batch: Batch,
  host: ProgramHost,
  parts: CallParts,
  pending: Map<number, string>,
  values: Map<number, { readonly tool: string; readonly value: unknown }>,
): Perform {
  const { definition } = batch.program.agent
  /** The approval that the nearest call before this one waits for. */
  const behind = (place: number): string | undefined => [...pending].findLast(([other]) => other < place)?.[1]

  const callTool = async (place: number, tool: BoundTool, input: string): Promise<ToolOutput> => {
    const coerced = coerceInput(input, tool.schema, parts.limits)
    if (!coerced.ok) throw FunctionCallError.respondToModel(coerced.message)
    const key = keyOf(batch, place)
    const held = behind(place)
    const answer = await host.call({
      seq: batch.seq + place,
      key,
      kind: "tool",
      path: tool.address,
      argsJson: canonicalJson(withOwnNames(coerced.args, tool)),
      line: null,
      ...(held === undefined ? {} : { behind: held }),
    })
    if (answer.form === "pending") {
      pending.set(place, host.approvalOf(key) ?? held ?? "")
      return { type: "function", content: "waiting" }
    }
    return toOutput(place, tool.address, answer)
  }

  const toOutput = (place: number, tool: string, { form, json }: RecalledAnswer): ToolOutput => {
    const result = readAnswer(form, json)
    values.set(place, { tool, value: result.ok ? result.data : result.error })
    return result.ok ? { type: "function", content: textOf(result.data), success: true } : failedOutput(result)
  }

  const perform: Perform = async (place, name, input) => {
    const key = keyOf(batch, place)
    const recorded = host.recall(key)
    // Whatever has become of the tool since.
    if (recorded !== null) return toOutput(place, host.addressOf(key) ?? name, recorded)
    if (batch.spent.has(place)) throw FunctionCallError.respondToModel(callsSpent)
    if (batch.tools !== null) {
      const tool = batch.tools.find((one) => one.name === name)
      if (tool === undefined) throw FunctionCallError.respondToModel(unknownTool(name, batch.tools))
      return callTool(place, tool, input)
    }
    const spec = searchToolSpecs.find((one) => one.name === name)
    if (spec === undefined) throw FunctionCallError.respondToModel(unknownTool(name, searchToolSpecs))
    const coerced = coerceInput(input, spec.parameters, parts.limits)
    if (!coerced.ok) throw FunctionCallError.respondToModel(coerced.message)
    const principal = await host.current()
    if (principal === null) throw FunctionCallError.fatal("The run has ended")
    if (name === "call_tool") {
      const path = textIn(coerced.args, "name")
      // One that was begun stays with the tool that it meant then.
      const tool = await toolNamed(host.addressOf(key) ?? path, principal, definition.tools, parts.binder)
      if (tool === null) throw FunctionCallError.respondToModel(`There is no tool '${path.slice(0, 120)}'; find one with search_tools.`)
      const inner = coerced.args["arguments"]
      return callTool(place, tool, typeof inner === "string" ? inner : JSON.stringify(inner ?? {}))
    }
    const step = { key, seq: batch.seq + place, path: name, argsJson: canonicalJson(coerced.args) }
    // Remembered like the answers of tools: a replay must not find other tools than the model was told of.
    const json = await host.remember(step, async () =>
      JSON.stringify(await answerSearch(name, coerced.args, principal, definition.tools, parts.binder)),
    )
    if (json === null) throw FunctionCallError.fatal("The run has ended")
    return toOutput(place, name, { form: "value", json })
  }

  /** What the model was told instead of an answer stays told: a replay must not make a call that was not made before. */
  const refuse = async (place: number, name: string, input: string, message: string): Promise<ToolOutput> => {
    const argsJson = JSON.stringify({ written: input.slice(0, writtenCharsMax) })
    const step = { key: keyOf(batch, place), seq: batch.seq + place, path: shownName(name), argsJson, form: "reject" as const }
    const json = await host.remember(step, async () =>
      JSON.stringify({ code: message === callsSpent ? "budget_exceeded" : "invalid_arguments", message }),
    )
    if (json === null) throw FunctionCallError.fatal("The run has ended")
    return toOutput(place, name, { form: "reject", json })
  }

  return async (place, name, input) => {
    try {
      return await perform(place, name, input)
    } catch (error) {
      if (!(error instanceof FunctionCallError) || error.kind !== "respond_to_model") throw error
      return refuse(place, name, input, error.message)
    }
  }
}

const withOwnNames = (args: Readonly<Record<string, unknown>>, { ownNames }: BoundTool): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [Object.hasOwn(ownNames, name) ? ownNames[name] : name, value]))

const callsSpent = "Not made: this run and those that it belongs to have made all the calls that they may. Answer with what you have."

const aloneSpec = { name: aloneName, description: "", parameters: {} }

/** Every name that the model may have used has a handler; what it is not bound to is answered by the router. */
function routerFor(batch: Batch, perform: Perform, limits: Limits): ToolRouter {
  const builder = new ToolRegistryBuilder()
  const isParallel = batch.program.agent.definition.executionMode === "parallel_safe"
  const handler: ToolHandler = {
    kind: "function",
    matchesKind: ({ type }) => type === "function",
    handle({ callId, payload }) {
      const place = Number(callId)
      return perform(place, batch.calls[place]?.name ?? "", payload.type === "function" ? payload.arguments : "")
    },
  }
  const add = (name: string, description: string, parameters: Readonly<Record<string, unknown>>, isSafe: boolean): void => {
    builder.pushSpecWithParallelSupport({ type: "function", name, description, parameters }, isParallel && isSafe)
    builder.registerHandler(name, handler)
  }
  if (batch.tools === null)
    for (const { name, description, parameters } of [...searchToolSpecs, aloneSpec]) add(name, description, parameters, name !== aloneName)
  else for (const { name, description, schema, isSafe } of batch.tools) add(name, description, schema, isSafe)
  // What else the model has called is answered too: with what was recorded, or with what it may call.
  const known = new Set((batch.tools ?? [...searchToolSpecs, aloneSpec]).map(({ name }) => name))
  for (const name of [noName, ...batch.calls.map((call) => call.name)])
    if (!known.has(name) && isToolName(name)) {
      known.add(name)
      add(name, "", {}, false)
    }
  const [specs, registry] = builder.build()
  return new ToolRouter({ specs, registry, outputTokensMax: limits.toolOutputTokensMax })
}

const unknownTool = (name: string, tools: readonly { readonly name: string }[]): string =>
  `There is no tool '${shownName(name)}'. You have: ${tools.map((tool) => tool.name).join(", ") || "none"}`

const failedOutput = ({ error }: Extract<ToolResult, { ok: false }>): ToolOutput => {
  const details = error.details === undefined ? "" : ` ${JSON.stringify(error.details).slice(0, 2000)}`
  return { type: "function", content: `${error.code}: ${error.message}${details}`, success: false }
}
