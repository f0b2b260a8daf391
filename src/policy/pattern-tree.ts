// Many patterns as one matcher that follows a subject through a tree, so that it does not try them one by one.
//
// A node stands for the beginning of patterns. Literal segments lead on by a lookup, globs are tried, and `**` is a node of
// its own that stays for any number of segments. All nodes that the subject can have reached are followed side by side,
// each once, so that no patterns are worse than the product of their size and the subject's length.
import { compilePattern, fitsSegment } from "./match.ts"
import type { Segment } from "./match.ts"

type Glob = Extract<Segment, { kind: "glob" }>

type Node = {
  /** A pattern ends here. */
  isEnd: boolean
  /** It is a `**`. */
  readonly stays: boolean
  readonly literals: Map<string, Node>
  readonly globs: Map<string, { readonly glob: Glob; readonly node: Node }>
  deep: Node | null
}

export type PatternTree = {
  matches(subject: string): boolean
  /** How much of what begins with this segment can match. */
  coverage(first: string): Coverage
  /** The only first segments that something can match has; null: any. */
  readonly firsts: ReadonlySet<string> | null
}

export type Coverage = "none" | "some" | "all"

export function createPatternTree(patterns: readonly string[]): PatternTree {
  const root = newNode(false)
  for (const pattern of patterns) add(root, compilePattern(pattern).segments)
  const start = open(root, new Set())
  const isOpen = root.deep !== null || root.globs.size > 0
  return {
    matches: (subject) => isMatch(start, subject.split(".")),
    coverage: (first) => coverageOf(follow(start, first)),
    firsts: isOpen ? null : new Set([...root.literals].flatMap(([text, node]) => (leadsOn(node) ? [text] : []))),
  }
}

const newNode = (stays: boolean): Node => ({ isEnd: false, stays, literals: new Map(), globs: new Map(), deep: null })

function add(root: Node, segments: readonly Segment[]): void {
  let node = root
  for (const segment of segments) node = child(node, segment)
  node.isEnd = true
}

function child(node: Node, segment: Segment): Node {
  switch (segment.kind) {
    case "any_depth":
      return node.stays ? node : (node.deep ??= newNode(true))
    case "literal":
      return kept(node.literals, segment.text, newNode(false))
    case "glob":
      return kept(node.globs, segment.text, { glob: segment, node: newNode(false) }).node
  }
}

function kept<Value>(map: Map<string, Value>, key: string, fresh: Value): Value {
  const value = map.get(key) ?? fresh
  map.set(key, value)
  return value
}

function isMatch(start: ReadonlySet<Node>, subject: readonly string[]): boolean {
  let reached = start
  for (const text of subject) {
    if (isMatchedByRest(reached)) return true
    reached = follow(reached, text)
    if (reached.size === 0) return false
  }
  for (const { isEnd } of reached) if (isEnd) return true
  return false
}

function isMatchedByRest(reached: ReadonlySet<Node>): boolean {
  for (const { stays, isEnd } of reached) if (stays && isEnd) return true
  return false
}

function follow(reached: ReadonlySet<Node>, text: string): Set<Node> {
  const next = new Set<Node>()
  for (const node of reached) {
    if (node.stays) next.add(node)
    const literal = node.literals.get(text)
    if (literal !== undefined) open(literal, next)
    for (const { glob, node: behind } of node.globs.values()) if (fitsSegment(glob, text)) open(behind, next)
  }
  return next
}

/** A `**` may also stand for nothing. */
function open(node: Node, reached: Set<Node>): Set<Node> {
  reached.add(node)
  if (node.deep !== null) reached.add(node.deep)
  return reached
}

function coverageOf(reached: ReadonlySet<Node>): Coverage {
  if (isMatchedByRest(reached)) return "all"
  return [...reached].some(leadsOn) ? "some" : "none"
}

const leadsOn = (node: Node): boolean => node.stays || node.deep !== null || node.literals.size > 0 || node.globs.size > 0
