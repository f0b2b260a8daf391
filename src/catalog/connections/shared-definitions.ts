// Finds the tools that a change of shared definitions reaches, and the definitions that comparing them needs.
//
// A tool whose own words stayed may refer to a definition that changed, over any number of others. The definitions that
// the newer set reaches are read once from both sets; those that differ, and all that lead to them, are not the same.
import { referencesIn } from "../../core/json/schema.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonSchema, JsonText } from "../../core/tool.ts"
import { noDefinitions } from "../../diff/definition-diff.ts"
import type { SharedDefinitions } from "../../diff/definition-diff.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { Store } from "../../store/store.ts"
import type { DefinedTool, SetDifferences } from "../../store/tool-changes/tool-change-store.ts"

/** The ids of two tool sets. */
export type SetPair = { readonly before: string; readonly after: string }

/** `changedTools`: in their own words, or by what they refer to. */
export type SharedChange = { readonly changedTools: readonly string[]; readonly definitions: SharedDefinitions }

export async function readSharedDefinitions(
  scope: Scope,
  sets: SetPair,
  { changed, hasOtherDefinitions }: SetDifferences,
  store: Store,
): Promise<SharedChange> {
  const references = hasOtherDefinitions ? await readReferences(scope, sets.after, null, store) : new Map<string, readonly string[]>()
  const own = await Promise.all([sets.before, sets.after].map((set) => readReferences(scope, set, changed, store)))
  const names = [references, ...own].flatMap((some) => [...some.values()].flat())
  const texts = await readTexts(scope, sets, names, store)
  const affected = affectedBy(texts)
  const isChanged = new Set(changed)
  const reached = [...references].filter(([tool, some]) => !isChanged.has(tool) && some.some((name) => affected.has(name)))
  return {
    changedTools: [...changed, ...reached.map(([tool]) => tool)],
    definitions: {
      ...noDefinitions(),
      before: parsedOnce((name) => texts.get(name)?.before),
      after: parsedOnce((name) => texts.get(name)?.after),
      isSame: (name) => texts.has(name) && !affected.has(name),
    },
  }
}

const toolsPerRead = 500

/** What each tool of a set refers to in its own words; tools that refer to nothing are left out. `only`: null for all tools. */
async function readReferences(
  scope: Scope,
  set: string,
  only: readonly string[] | null,
  store: Store,
): Promise<Map<string, readonly string[]>> {
  const references = new Map<string, readonly string[]>()
  const slices = createTimeSlices()
  for await (const { name, inputSchema, outputSchema } of definedTools(scope, set, only, store)) {
    const names = new Set([...referencesIn(inputSchema), ...referencesIn(outputSchema ?? "")])
    if (names.size > 0) references.set(name, [...names])
    if (slices.isOver()) await slices.next()
  }
  return references
}

/** In order, some at a time. */
export async function* definedTools(
  scope: Scope,
  set: string,
  only: readonly string[] | null,
  { toolChanges }: Store,
): AsyncGenerator<DefinedTool> {
  if (only !== null) {
    for (let from = 0; from < only.length; from += toolsPerRead)
      yield* await toolChanges.defined(scope, set, only.slice(from, from + toolsPerRead), { after: null, limit: toolsPerRead })
    return
  }
  for (let after: string | null = null; ;) {
    const tools: readonly DefinedTool[] = await toolChanges.defined(scope, set, null, { after, limit: toolsPerRead })
    yield* tools
    const last = tools.at(-1)
    if (last === undefined || tools.length < toolsPerRead) return
    after = last.name
  }
}

type Texts = { readonly before: JsonText | undefined; readonly after: JsonText | undefined; readonly references: readonly string[] }

/** Of both sets, level by level. */
async function readTexts(scope: Scope, sets: SetPair, first: readonly string[], { toolSets }: Store): Promise<Map<string, Texts>> {
  const texts = new Map<string, Texts>()
  let wanted = new Set(first)
  while (wanted.size > 0) {
    const names = [...wanted]
    const before = await toolSets.definitions(scope, sets.before, names)
    const after = await toolSets.definitions(scope, sets.after, names)
    for (const name of names) {
      const [was, is] = [before.get(name), after.get(name)]
      texts.set(name, { before: was, after: is, references: [...new Set([was, is])].flatMap((text) => referencesIn(text ?? "")) })
    }
    wanted = new Set(names.flatMap((name) => texts.get(name)?.references ?? []).filter((name) => !texts.has(name)))
  }
  return texts
}

/** Those that differ, and those that lead to one of them. */
function affectedBy(texts: ReadonlyMap<string, Texts>): ReadonlySet<string> {
  const usedBy = new Map<string, string[]>()
  const usersOf = (name: string): string[] => usedBy.get(name) ?? usedBy.set(name, []).get(name) ?? []
  for (const [name, { references }] of texts) for (const used of references) usersOf(used).push(name)
  const affected = new Set([...texts].filter(([, { before, after }]) => before !== after).map(([name]) => name))
  // A set may grow while it is walked.
  for (const name of affected) for (const user of usedBy.get(name) ?? []) affected.add(user)
  return affected
}

function parsedOnce(textOf: (name: string) => JsonText | undefined): (name: string) => JsonSchema | undefined {
  const parsed = new Map<string, JsonSchema>()
  return (name) => {
    const text = textOf(name)
    if (text === undefined) return undefined
    const schema = parsed.get(name) ?? (JSON.parse(text) as JsonSchema) // the compiler emits objects
    parsed.set(name, schema)
    return schema
  }
}
