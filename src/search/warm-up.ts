// Makes the first search of a large catalog as quick as the next ones.
//
// What was never run before is slow for its first hundred thousand tools, until the engine has compiled it. So while a
// large catalog is indexed, requests of each kind are put to a small one, over and over, a few at a time.
import type { IndexedTool, Mount } from "./indexed-tool.ts"
import { search } from "./answer.ts"
import { createSegmentBuilder } from "./index/segment-build.ts"
import type { Segment } from "./index/segment.ts"
import { createCounted } from "./index/word-counts.ts"
import { createVocabulary } from "./index/vocabulary.ts"

const toolCount = 400
const rounds = 60

const requests = ["warm.subject", "subject1.", "warm", "create a thing", "list the things of subject 2", "subject3.things.create", ""]

let isDone = false

/** Yields between slices of less than a millisecond; does nothing when it was done before. */
export function* warmUp(): Generator<void> {
  if (isDone) return
  isDone = true
  const vocabulary = createVocabulary()
  const builder = createSegmentBuilder()
  for (let tool = 0; tool < toolCount; tool += 1) {
    builder.add(someTool(tool))
    if (tool % 20 === 0) yield
  }
  const segment = (yield* builder.finish())(vocabulary)
  // Large sets number their tools in wider arrays, which the engine compiles for apart.
  const wide: Segment = { ...segment, tools: Uint32Array.from(segment.tools) }
  const segments = new Map([
    ["narrow", segment],
    ["wide", wide],
  ])
  const index = { vocabulary, segments, memo: new WeakMap(), counted: createCounted() }
  const mounts = [...segments.keys()].flatMap((toolSet): Mount[] => {
    const mount = { toolSet, prefix: `warm.org.${toolSet}`, integration: "warm", integrationName: "" }
    return [mount, { ...mount, prefix: `warm.user.${toolSet}`, isVisible: (name) => !name.endsWith("7") }]
  })
  for (let round = 0; round < rounds; round += 1) {
    // Mounts that show everything take another way than those that ask.
    const looked = mounts.filter((mount) => (mount.isVisible === undefined) === (round % 2 === 0))
    for (const query of requests) {
      search(index, { query, limit: 12, offset: 0 }, looked)
      yield
    }
  }
}

const verbs = ["list", "get", "create", "update", "delete"]
const someTool = (number: number): IndexedTool => ({
  name: `subject${number % 7}.things.${verbs[number % verbs.length]}${number}`,
  title: "",
  summary: `${verbs[number % verbs.length]} a thing`,
  description: `Of subject ${number % 7}, with all that belongs to it.`,
  tags: [],
  parameters: [],
  deprecated: number % 11 === 0,
  effect: number % verbs.length < 2 ? "read" : "write",
})
