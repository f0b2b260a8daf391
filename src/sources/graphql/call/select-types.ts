// Finds the types that a selection meets and that are not read yet.
import type { ArgumentNode, SelectionSetNode, ValueNode } from "graphql"
import type { ArgEntry, TypeEntry } from "../binding.ts"

type Types = ReadonlyMap<string, TypeEntry>

export function missingTypes(selection: SelectionSetNode, on: string, types: Types): string[] {
  const missing = new Set<string>()
  visitSelection(selection, on, types, missing)
  return [...missing]
}

/** The fields that a selection names, at whatever level. */
export function fieldNames(selection: SelectionSetNode, names: Set<string> = new Set()): Set<string> {
  for (const node of selection.selections) {
    if (node.kind === "Field") names.add(node.name.value)
    if (node.kind !== "FragmentSpread" && node.selectionSet) fieldNames(node.selectionSet, names)
  }
  return names
}

/** `[User!]!` is about `User`. */
export const namedIn = (type: string): string => type.replaceAll(/[[\]!]/g, "")

function visitSelection(selection: SelectionSetNode, on: string, types: Types, missing: Set<string>): void {
  const entry = types.get(on)
  if (entry === undefined) missing.add(on)
  for (const node of selection.selections) {
    if (node.kind === "FragmentSpread") continue
    if (node.kind === "InlineFragment") {
      visitSelection(node.selectionSet, node.typeCondition?.name.value ?? on, types, missing)
      continue
    }
    const field =
      entry !== undefined && "fields" in entry && entry.kind !== "input"
        ? entry.fields.find(([name]) => name === node.name.value)
        : undefined
    if (field === undefined) continue
    const [, type, args = []] = field
    visitArguments(node.arguments ?? [], args, types, missing)
    // Also where nothing is selected: whether something must be is a matter of the type.
    if (!types.has(namedIn(type))) missing.add(namedIn(type))
    if (node.selectionSet) visitSelection(node.selectionSet, namedIn(type), types, missing)
  }
}

function visitArguments(given: readonly ArgumentNode[], args: readonly ArgEntry[], types: Types, missing: Set<string>): void {
  for (const { name, value } of given) {
    const arg = args.find(([known]) => known === name.value)
    if (arg) visitValue(value, namedIn(arg[1]), types, missing)
  }
}

/** Plain values are checked by what the type is, objects by its fields as well. */
function visitValue(value: ValueNode, type: string, types: Types, missing: Set<string>): void {
  if (value.kind === "Variable") return
  if (value.kind === "ListValue") {
    for (const item of value.values) visitValue(item, type, types, missing)
    return
  }
  const entry = types.get(type)
  if (entry === undefined) missing.add(type)
  if (value.kind !== "ObjectValue" || entry?.kind !== "input") return
  for (const field of value.fields) {
    const known = entry.fields.find(([name]) => name === field.name.value)
    if (known) visitValue(field.value, namedIn(known[1]), types, missing)
  }
}
