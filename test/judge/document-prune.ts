// Cuts a document down to its requests: answers are not judged, and Prism takes minutes to unfold those of a large API.
import { isRecord } from "./arguments-schema.ts"

type Node = Record<string, unknown>

const nodeAt = (node: Node, key: string): Node => (isRecord(node[key]) ? node[key] : {})

/** Where named parts are kept: two levels below `components` in OpenAPI 3, one in Swagger 2.0. */
const isHome = ([first = "", second = ""]: readonly string[]): boolean =>
  first === "components" ? second !== "securitySchemes" : first === "definitions" || first === "parameters"

export function pruneDocument(document: Node): Node {
  const paths = mapNode(nodeAt(document, "paths"), (item) => (isRecord(item) ? mapNode(item, withoutAnswers) : item))
  const requests: Node = { ...document, paths, responses: {}, webhooks: {} }
  const kept = reachable(requests)
  // A request that points into an answer needs it.
  if (kept.some((ref) => /^#\/(paths\/.*\/)?responses\//.test(ref))) return document
  return keepOnly(requests, kept)
}

const mapNode = (node: Node, change: (value: unknown) => unknown): Node =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value)]))

const withoutAnswers = (operation: unknown): unknown => {
  if (!isRecord(operation) || operation["responses"] === undefined) return operation
  const { callbacks: _callbacks, ...rest } = operation
  return { ...rest, responses: {} }
}

/** Every reference that the requests lead to. */
function reachable(requests: Node): string[] {
  const { components: _components, definitions: _definitions, parameters: _parameters, ...entry } = requests
  const found = new Set<string>()
  const waiting: unknown[] = [entry, nodeAt(requests, "components")["securitySchemes"]]
  while (waiting.length > 0) {
    for (const ref of refsIn(waiting.pop())) {
      if (found.has(ref)) continue
      found.add(ref)
      waiting.push(targetOf(requests, ref))
    }
  }
  return [...found]
}

const refsIn = (value: unknown): string[] =>
  [...(JSON.stringify(value) ?? "").matchAll(/"\$ref":"(#\/(?:[^"\\]|\\.)*)"/g)].map((match) => JSON.parse(`"${match[1] ?? ""}"`) as string) // a text inside JSON

const segmentsOf = (ref: string): string[] =>
  ref
    .slice(2)
    .split("/")
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"))

/** The named part as a whole, so that what a pointer passes by on its way is kept as well. */
function targetOf(document: Node, ref: string): unknown {
  const segments = segmentsOf(ref)
  const named = isHome(segments) ? segments.slice(0, segments[0] === "components" ? 3 : 2) : segments
  return named.reduce<unknown>((node, segment) => (isRecord(node) || Array.isArray(node) ? (node as Node)[segment] : undefined), document) // a list has members by their index
}

function keepOnly(document: Node, refs: readonly string[]): Node {
  const names = new Set(refs.map(segmentsOf).map((segments) => segments.slice(0, segments[0] === "components" ? 3 : 2).join("\n")))
  const keep = (node: Node, home: readonly string[]): Node =>
    Object.fromEntries(Object.entries(node).filter(([name]) => !isHome(home) || names.has([...home, name].join("\n"))))
  const components = Object.entries(nodeAt(document, "components")).map(([kind, named]) => [
    kind,
    isRecord(named) ? keep(named, ["components", kind]) : named,
  ])
  const homes = ["definitions", "parameters"]
    .filter((home) => isRecord(document[home]))
    .map((home) => [home, keep(nodeAt(document, home), [home])])
  return {
    ...document,
    ...(document["components"] === undefined ? {} : { components: Object.fromEntries(components) as Node }),
    ...(Object.fromEntries(homes) as Node),
  }
}
