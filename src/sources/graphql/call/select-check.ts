// Checks a selection that a caller wrote against the schema, before anything is sent.
//
// The whole schema of a large API takes a quarter of a second to read, and a selection touches a handful of its types. So each
// type is kept as an entry of its own beside the tools; those that the selection meets are read level by level, a small schema
// is made of them, and the library's own rules judge the operation as the server will receive it.
import type { DocumentNode, GraphQLError, SelectionSetNode } from "graphql"
import type { JsonText } from "../../../core/tool.ts"
import type { ArgEntry, FieldBinding, FieldSelection, TypeEntry } from "../binding.ts"
import { entryName } from "../binding.ts"
import { writeOperation } from "./operation-field.ts"
import { fieldNames, missingTypes } from "./select-types.ts"

/** Rules compare fields with each other, so that the work grows with the square of this. */
const tokensMax = 1_000
/** Servers refuse deeper ones, and types are read level by level. */
const levelsMax = 30
const errorsShownMax = 3

export type SelectVerdict = { readonly ok: true; readonly selection: string } | { readonly ok: false; readonly message: string }
export type ReadDefinitions = (names: readonly string[]) => Promise<ReadonlyMap<string, JsonText>>

export async function checkSelect(
  select: string,
  binding: FieldBinding & { readonly selection: FieldSelection },
  given: readonly ArgEntry[],
  read: ReadDefinitions,
): Promise<SelectVerdict> {
  // Most calls select nothing, and then the library is not needed.
  const { parse, print, validate } = await import("graphql")
  const { partialSchema } = await import("./select-schema.ts")
  try {
    const selection = selectionIn(parse(braced(select), { maxTokens: tokensMax }))
    if (selection === null) return refuse('it must be one selection set, e.g. "{ __typename }"')
    if (isDeeper(selection, levelsMax)) return refuse(`it is more than ${levelsMax} levels deep`)
    const types = await readTypes(selection, binding, read)
    const text = print(selection)
    const operation = parse(writeOperation(binding, given, text), { maxTokens: 2 * tokensMax })
    // With the fields that are selected alone it is judged quickly; with all of them the complaint can say what was meant.
    const judge = (fields: ReadonlySet<string> | null): readonly GraphQLError[] =>
      validate(partialSchema(binding, types, fields), operation, undefined, { maxErrors: errorsShownMax })
    if (judge(fieldNames(selection)).length === 0) return { ok: true, selection: text }
    return refuse(
      judge(null)
        .map((error) => error.message)
        .join(" "),
    )
  } catch (error) {
    if (error instanceof RangeError) return refuse("it is nested too deeply")
    if (error instanceof Error && error.name === "GraphQLError") return refuse(error.message)
    throw error
  }
}

/** Before a brace may stand what the language skips. */
const opening = /^(?:[\s,\uFEFF]|#[^\n\r]*[\n\r])*\{/
const braced = (select: string): string => (opening.test(select) ? select : `{ ${select}\n}`)

/** Fragments, names and variables belong to an operation; a selection is what stands between its braces. */
function selectionIn({ definitions }: DocumentNode): SelectionSetNode | null {
  const [only] = definitions
  if (definitions.length !== 1 || only?.kind !== "OperationDefinition") return null
  const isPlain = only.operation === "query" && only.name === undefined && !only.variableDefinitions?.length && !only.directives?.length
  return isPlain ? only.selectionSet : null
}

const isDeeper = ({ selections }: SelectionSetNode, levels: number): boolean =>
  levels === 0 ||
  selections.some((node) => node.kind !== "FragmentSpread" && node.selectionSet !== undefined && isDeeper(node.selectionSet, levels - 1))

async function readTypes(
  selection: SelectionSetNode,
  binding: FieldBinding & { readonly selection: FieldSelection },
  read: ReadDefinitions,
): Promise<ReadonlyMap<string, TypeEntry>> {
  const types = new Map<string, TypeEntry>()
  const asked = new Set<string>()
  for (;;) {
    const names = missingTypes(selection, binding.selection.on, types).filter((name) => !asked.has(name))
    if (names.length === 0) return types
    const found = await read(names.map(entryName))
    for (const name of names) {
      asked.add(name)
      const text = found.get(entryName(name))
      if (text !== undefined) types.set(name, JSON.parse(text) as TypeEntry) // written by the compiler
    }
  }
}

const refuse = (reason: string): SelectVerdict => ({ ok: false, message: reason })
