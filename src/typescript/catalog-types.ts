// Prints one declaration file for a whole catalog, piece by piece, in which `tools` is typed to the last property.
//
// Each integration is a namespace with one interface for each set of tools and the definitions that the set
// reaches, once. Connections that share a set share its interface. At the end `Tools` joins them: the full path
// of every connection, and the short path of each tool that only one connection has.
import { defaultLimits } from "../core/limits.ts"
import type { Limits } from "../core/limits.ts"
import { createTimeSlices } from "../io/time-slices.ts"
import type { TimeSlices } from "../io/time-slices.ts"
import { createNames } from "./definition-names.ts"
import type { Names } from "./definition-names.ts"
import { memberKey } from "./catalog-tree.ts"
import { globalsText, preludeText } from "./catalog-prelude.ts"
import type { ResultForm } from "./catalog-prelude.ts"
import { shortPaths } from "./catalog-short-paths.ts"
import { printToolSet } from "./catalog-tool-set.ts"
import type { CatalogConnection, CatalogToolSet, PrintedSet } from "./catalog-tool-set.ts"
import { commentSafe } from "./comment-text.ts"

export type CatalogIntegration = {
  /** The first segment of its paths. */
  readonly slug: string
  readonly name: string
  /** One for each group of connections with the same tools. */
  readonly toolSets: readonly CatalogToolSet[]
}

export type CatalogTypesOptions = { readonly results?: ResultForm; readonly limits?: Limits; readonly slices?: TimeSlices }

const pieceCharsMin = 64 * 1024

/** Slugs must differ. Integrations are read one after the other, so that a large catalog is never in memory as a whole. */
export async function* printCatalogTypes(
  integrations: AsyncIterable<CatalogIntegration> | Iterable<CatalogIntegration>,
  { results = "envelope", limits = defaultLimits, slices = createTimeSlices() }: CatalogTypesOptions = {},
): AsyncGenerator<string> {
  const namespaces = createNames(["Discovery", "ToolsByPath"])
  const members: string[] = []
  let piece = createPiece(preludeText(results))
  for await (const integration of integrations) {
    const namespace = namespaces.take(integration.slug)
    const printed: PrintedSet[] = []
    for (const text of printIntegration(integration, namespace, printed, limits)) {
      if (slices.isOver()) await slices.next()
      piece.add(text)
      if (piece.length() < pieceCharsMin) continue
      yield piece.text()
      piece = createPiece("")
    }
    members.push(`  ${memberKey(integration.slug)}: ${memberType(printed)};\n`)
  }
  yield `${piece.text()}\nexport type Tools = Discovery & ToolsByPath & {\n${members.join("")}};\n\n${globalsText}`
}

/** Texts that are added to each other one by one stay a chain of thousands, which whoever joins the pieces would unravel in one turn. */
function createPiece(first: string): { add(text: string): void; length(): number; text(): string } {
  const texts = [first]
  let chars = first.length
  return {
    add(text) {
      texts.push(text)
      chars += text.length
    },
    length: () => chars,
    text: () => texts.join(""),
  }
}

function* printIntegration(integration: CatalogIntegration, namespace: string, printed: PrintedSet[], limits: Limits): Generator<string> {
  const names: Names = createNames()
  const title = commentSafe(integration.name)
  yield `\n${title === "" ? "" : `/** ${title} */\n`}export namespace ${namespace} {\n`
  for (const toolSet of integration.toolSets) {
    const name = names.take("tool set")
    yield* printToolSet(toolSet, name, names, limits)
    printed.push({ toolSet, type: `${namespace}.${name}` })
  }
  yield "}\n"
}

/** Everything that stands behind the slug. */
function memberType(printed: readonly PrintedSet[]): string {
  const parts = printed.flatMap(({ toolSet, type }) => (toolSet.connections.length === 0 ? [type] : []))
  const short = shortPaths(printed)
  if (short !== null) parts.push(short)
  const connections = printed.flatMap(({ toolSet, type }) => toolSet.connections.map((connection) => ({ ...connection, type })))
  if (connections.length > 0) parts.push(ownersType(connections))
  return parts.length === 0 ? "{}" : parts.join(" & ")
}

function ownersType(connections: readonly (CatalogConnection & { readonly type: string })[]): string {
  const owners = Map.groupBy(connections, ({ owner }) => owner)
  const members = [...owners].map(
    ([owner, owned]) => `${owner}: { ${owned.map(({ connection, type }) => `${memberKey(connection)}: ${type}`).join("; ")} }`,
  )
  return `{ ${members.join("; ")} }`
}
