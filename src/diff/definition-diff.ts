// The port of diffs: what changed between two definitions of a tool, by its meaning and as JSON.
import { isRecord } from "../core/json/record.ts"
import { diffKinds } from "../core/registry/diff.ts"
import type { DefinitionChange, DefinitionDiff, JsonChange, ToolDefinition } from "../core/registry/diff.ts"
import type { Effect } from "../core/tool.ts"
import { cut, diffJson, valuesOf } from "./json-diff.ts"
import type { IsSecret } from "./json-diff.ts"
import { isSameJson } from "./json-equal.ts"
import { diffSchemas, noDefinitions } from "./schema-diff.ts"
import type { SchemaDiff, SharedDefinitions } from "./schema-diff.ts"

export { noDefinitions } from "./schema-diff.ts"
export type { SharedDefinitions } from "./schema-diff.ts"

/** More than anybody reads. */
export const listedMax = 200

export type DiffOptions = {
  /** What the schemas refer to outside of themselves. */
  readonly shared?: SharedDefinitions
  /** How many changes are listed. */
  readonly most?: number
}

export function diffDefinitions(before: ToolDefinition, after: ToolDefinition, options: DiffOptions = {}): DefinitionDiff {
  const { shared = noDefinitions(), most = listedMax } = options
  const { inputSchema } = before
  const input = diffSchemas({ before: inputSchema, after: after.inputSchema, direction: "input", root: "inputSchema" }, shared)
  const output = diffOutput(before, after, shared)
  const changes = [
    ...diffFacts(before, after),
    ...input.changes,
    ...output.changes,
    ...diffImplementation(before, after, most),
    ...diffExecution(before.execution ?? {}, after.execution ?? {}),
  ].toSorted((one, other) => diffKinds.indexOf(one.kind) - diffKinds.indexOf(other.kind))
  const json = changes.length === 0 ? [] : diffAll(before, after, [...input.definitions, ...output.definitions], shared, most + 1)
  return {
    kind: changes[0]?.kind ?? "none",
    effectChanged: before.effect !== after.effect,
    changes: changes.slice(0, most),
    json: json.slice(0, most),
    truncated: changes.length > most || json.length > most,
  }
}

function diffFacts(before: ToolDefinition, after: ToolDefinition): DefinitionChange[] {
  const changes: DefinitionChange[] = []
  const add = (kind: DefinitionChange["kind"], path: keyof ToolDefinition, message: string): void =>
    void (
      isSameJson(before[path], after[path]) || changes.push({ kind, path, message, before: cut(before[path]), after: cut(after[path]) })
    )
  add(effects.indexOf(after.effect) > effects.indexOf(before.effect) ? "breaking" : "widening", "effect", `It is a ${after.effect} now`)
  add(
    after.requiresApproval ? "breaking" : "widening",
    "requiresApproval",
    after.requiresApproval ? "It asks for approval now" : "It no longer asks for approval",
  )
  add("text", "title", "The title changed")
  add("text", "description", "The description changed")
  return changes
}

/** The least first. */
const effects: readonly Effect[] = ["read", "write", "destroy"]

function diffOutput(
  { outputSchema: before }: ToolDefinition,
  { outputSchema: after }: ToolDefinition,
  shared: SharedDefinitions,
): SchemaDiff {
  const root = "outputSchema"
  if (before !== null && after !== null) return diffSchemas({ before, after, direction: "output", root }, shared)
  const change: DefinitionChange[] =
    before === after
      ? []
      : before === null
        ? [{ kind: "widening", path: root, message: "The output is described now" }]
        : [{ kind: "breaking", path: root, message: "The output is no longer described" }]
  return { changes: change, definitions: [] }
}

/** Nobody can tell from a config what calls do now; which of them are right is for the schemas to say. */
function diffImplementation(before: ToolDefinition, after: ToolDefinition, most: number): DefinitionChange[] {
  return diffJson(before.implementation ?? {}, after.implementation ?? {}, "/implementation", most + 1, isSecretSetting).map(
    ({ path, ...change }): DefinitionChange => ({
      kind: "implementation",
      path: path.slice(1).replaceAll("/", "."),
      message: `The implementation changed`,
      ...valuesOf(change.before, change.after),
    }),
  )
}

function diffExecution(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): DefinitionChange[] {
  return diffJson(before, after, "", listedMax).map(({ path, before: was, after: is }): DefinitionChange => {
    const isMore = typeof was === "number" && typeof is === "number" && is > was
    const name = path.slice(1)
    return { kind: isMore ? "widening" : "implementation", path: `execution.${name}`, message: `${name} changed`, ...valuesOf(was, is) }
  })
}

const sensitiveName = /api[-_]?key|token|secret|password|authorization/i

/** References to the vault, settings with the name of a secret, and the values of headers. */
const isSecretSetting: IsSecret = (name, value, parent) =>
  sensitiveName.test(name) || (parent === "headers" && name !== "") || (isRecord(value) && Object.hasOwn(value, "$secret"))

function diffAll(
  before: ToolDefinition,
  after: ToolDefinition,
  definitions: readonly string[],
  shared: SharedDefinitions,
  most: number,
): JsonChange[] {
  const { implementation: was = {}, ...plainBefore } = before
  const { implementation: is = {}, ...plainAfter } = after
  const changes = [...diffJson(plainBefore, plainAfter, "", most), ...diffJson(was, is, "/implementation", most, isSecretSetting)]
  for (const name of new Set(definitions)) {
    if (changes.length >= most) break
    const root = `/$defs/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
    changes.push(...diffJson(shared.before(name), shared.after(name), root, most - changes.length))
  }
  return changes
}
