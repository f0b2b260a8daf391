// Which tools of a connection differ from the version a human accepted, and how a human accepts them.
//
// Some sources are programs that may say something else tomorrow. What they said when a human connected them is pinned;
// a tool that came or changed later is marked, and asks for approval at every call until a human has accepted it.
import { ToolName } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonSchema, JsonText, PinnedTool, ToolChange } from "../../core/tool.ts"
import { createTimeSlices, mapInSlices } from "../../io/time-slices.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, Store, ToolWrite } from "../../store/store.ts"
import type { ResolvedTool } from "../tools/resolver.ts"

/** The names of changed tools, after a sync that gave these. To be called inside its transaction. */
export async function comparePins(scope: Scope, connection: ConnectionRow, tools: readonly ToolWrite[], store: Store): Promise<JsonText> {
  const ref = refOf(connection)
  const pins = new Map((await store.pins.list(scope, ref)).map((pin) => [pin.tool, pin.definition]))
  if (pins.size === 0 && connection.toolSetId === null) {
    await store.pins.put(scope, ref, await mapInSlices(tools, toPin))
    return "[]"
  }
  const changed = await mapInSlices(tools, (tool) => (isOther(tool, pins.get(tool.name)) ? [tool.name] : []))
  return JSON.stringify(changed.flat())
}

function isOther(tool: ToolWrite, pin: JsonText | undefined): boolean {
  return pin === undefined || changedFields(readPin(pin), pinnedOf(tool)).length > 0
}

/** `true`: all that are changed now. */
export async function acceptTools(
  scope: Scope,
  before: ConnectionRow,
  accepted: true | readonly string[],
  store: Store,
): Promise<ConnectionRow> {
  return store.transaction(async (transaction) => {
    const row = (await transaction.connections.get(scope, refOf(before))) ?? before
    const changed = readChanged(row)
    const names = accepted === true ? changed : accepted
    const isChangedNow = new Set(changed)
    const other = names.find((name) => !isChangedNow.has(name))
    if (other !== undefined)
      throw new ExecutorError("invalid_request", `acceptTools: '${other}' has not changed; changed tools: ${changed.join(", ") || "none"}`)
    await transaction.pins.put(scope, refOf(row), await readPins(scope, row, names, transaction))
    const isAccepted = new Set(names)
    const saved = { ...row, changedTools: JSON.stringify(changed.filter((name) => !isAccepted.has(name))) }
    await transaction.connections.put(scope, saved)
    return saved
  })
}

/** Of each tool as it is now, in slices: an answer may accept all tools of a large source. */
async function readPins(scope: Scope, row: ConnectionRow, names: readonly string[], store: Store): Promise<Pin[]> {
  const slices = createTimeSlices()
  const pins: Pin[] = []
  for (const name of names) {
    const tool = await store.tools.get(scope, { ...refOf(row), tool: ToolName.make(name) })
    if (tool !== null) pins.push(toPin(tool))
    if (slices.isOver()) await slices.next()
  }
  return pins
}

const readChanged = (row: ConnectionRow): string[] => (row.changedTools === "[]" ? [] : (JSON.parse(row.changedTools) as string[])) // written above

// Rows are kept by the resolver for as long as they are true, so that what is parsed of one is kept with it.
const changedOf = new WeakMap<ConnectionRow, ReadonlySet<string>>()

export function isChanged({ connection, tool }: ResolvedTool): boolean {
  const changed = changedOf.get(connection) ?? new Set(readChanged(connection))
  changedOf.set(connection, changed)
  return changed.has(tool.name)
}

/** What the tool was when it was accepted, beside what it is; null where it is what was accepted. */
export async function readChange(scope: Scope, found: ResolvedTool, store: Store): Promise<ToolChange | null> {
  if (!isChanged(found)) return null
  const pin = (await store.pins.list(scope, refOf(found.connection))).find((one) => one.tool === found.tool.name)
  const current = pinnedOf(found.tool)
  const accepted = pin === undefined ? null : readPin(pin.definition)
  return { fields: changedFields(accepted, current), accepted, current }
}

const readPin = (definition: string): PinnedTool => JSON.parse(definition) as PinnedTool // written by `toPin`

/** A title that is only written in another way is the same. */
const changedFields = (accepted: PinnedTool | null, current: PinnedTool): (keyof PinnedTool)[] =>
  pinnedFields.filter((field) =>
    field === "title" && accepted !== null
      ? bareTitle(accepted.title) !== bareTitle(current.title)
      : JSON.stringify(accepted?.[field]) !== JSON.stringify(current[field]),
  )

const bareTitle = (title: string): string => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

type Pin = { readonly tool: string; readonly definition: JsonText }

const toPin = (tool: PinSource): Pin => ({ tool: tool.name, definition: JSON.stringify(pinnedOf(tool)) })

type PinSource = Pick<ToolWrite, "name" | "title" | "description" | "effect" | "requiresApproval" | "inputSchema" | "outputSchema">

const pinnedOf = ({ title, description, effect, requiresApproval, inputSchema, outputSchema }: PinSource): PinnedTool => ({
  title,
  description,
  effect,
  requiresApproval,
  inputSchema: JSON.parse(inputSchema) as JsonSchema, // a source emits objects
  outputSchema: outputSchema === null ? null : (JSON.parse(outputSchema) as JsonSchema), // as above
})

const pinnedFields = ["title", "description", "effect", "requiresApproval", "inputSchema", "outputSchema"] as const
