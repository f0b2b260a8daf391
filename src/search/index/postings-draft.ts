// Collects which tool has which word how strongly, and packs it into typed arrays.
import { noWord } from "./segment.ts"
import type { Segment, WordLists } from "./segment.ts"
import { textLimits, tuning } from "../tuning.ts"
import { addForm } from "../language/spelling.ts"
import type { Forms } from "../language/spelling.ts"
import type { Vocabulary } from "./vocabulary.ts"

/** Stems of one tool, all of them taken in before: their weights over all fields, and those of its name and headline. */
export type ToolStems = {
  readonly weights: ReadonlyMap<string, number>
  readonly name: readonly string[]
  readonly headline: readonly string[]
  readonly thing: string
  readonly isDeprecated: boolean
}

export type PackedPostings = Pick<Segment, "words" | "starts" | "ends" | "tools" | "impacts" | "nameWords" | "headlineWords" | "things">

export type PostingsDraft = {
  /** Takes a stem in, with a form in which it is written: misspelt words are compared with those. False when there is no room. */
  see(stem: string, form: string): boolean
  addTool(stems: ToolStems): void
  finish(): Generator<void, (vocabulary: Vocabulary) => PackedPostings>
}

/** A slice of packing takes well under a millisecond. */
const toolsPerSlice = 200
const wordsPerSlice = 100_000

/** Words have numbers of the draft's own until they meet the vocabulary. */
type Lists = { readonly words: number[]; readonly starts: number[] }

export function createPostingsDraft(): PostingsDraft {
  const numbers = new Map<string, number>()
  const forms: Forms[] = []
  const all: Lists & { impacts: number[] } = { words: [], starts: [0], impacts: [] }
  const names: Lists = { words: [], starts: [0] }
  const headlines: Lists = { words: [], starts: [0] }
  const things: number[] = []

  const addList = (lists: Lists, stems: readonly string[]): void => {
    for (const stem of stems) {
      const number = numbers.get(stem)
      if (number !== undefined) lists.words.push(number)
    }
    lists.starts.push(lists.words.length)
  }
  return {
    see: (stem, form) => {
      const number = numbers.get(stem)
      if (number !== undefined) {
        addForm(forms[number] ?? [], form)
        return true
      }
      if (numbers.size >= textLimits.wordsPerSet) return false
      numbers.set(stem, forms.length)
      forms.push([form])
      return true
    },
    addTool: ({ weights, name, headline, thing, isDeprecated }) => {
      const most = isDeprecated ? 255 * tuning.deprecatedFactor : 255
      addList(all, [...weights.keys()])
      for (const weight of weights.values()) all.impacts.push(Math.max(1, Math.round((most * weight) / (weight + tuning.saturation))))
      addList(names, name)
      addList(headlines, headline)
      things.push(numbers.get(thing) ?? noWord)
    },
    finish: function* () {
      const packed = yield* packByWord(all, forms.length)
      return (vocabulary) => {
        const ids = vocabulary.retain(Array.from(numbers.keys(), (stem, number) => [stem, forms[number] ?? []] as const))
        const order = Uint32Array.from(ids.keys()).toSorted((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))
        return {
          words: order.map((number) => ids[number] ?? 0),
          starts: order.map((number) => packed.starts[number] ?? 0),
          ends: order.map((number) => packed.starts[number + 1] ?? 0),
          tools: packed.tools,
          impacts: packed.impacts,
          nameWords: withIds(names, ids),
          headlineWords: withIds(headlines, ids),
          things: withIds({ words: things, starts: [] }, ids).words,
        }
      }
    },
  }
}

/** A plain loop: `from` with a function is ten times slower, and this is done at once. */
function withIds(lists: Lists, ids: Uint32Array): WordLists {
  const words = new Uint32Array(lists.words.length)
  for (let at = 0; at < words.length; at += 1) words[at] = ids[lists.words[at] ?? 0] ?? noWord
  return { words, starts: Uint32Array.from(lists.starts) }
}

/** Turns "words of each tool" into "tools of each word". */
function* packByWord(
  lists: Lists & { readonly impacts: readonly number[] },
  wordCount: number,
): Generator<void, { starts: Uint32Array; tools: Uint16Array | Uint32Array; impacts: Uint8Array }> {
  const starts = new Uint32Array(wordCount + 1)
  for (let at = 0; at < lists.words.length; at += 1) {
    const word = lists.words[at] ?? 0
    starts[word + 1] = (starts[word + 1] ?? 0) + 1
    if (at % wordsPerSlice === 0) yield
  }
  for (let word = 0; word < wordCount; word += 1) starts[word + 1] = (starts[word + 1] ?? 0) + (starts[word] ?? 0)
  yield
  const toolCount = lists.starts.length - 1
  const tools = toolCount > 0xffff ? new Uint32Array(lists.words.length) : new Uint16Array(lists.words.length)
  const impacts = new Uint8Array(lists.words.length)
  const next = starts.slice()
  for (let tool = 0; tool < toolCount; tool += 1) {
    for (let at = lists.starts[tool] ?? 0; at < (lists.starts[tool + 1] ?? 0); at += 1) {
      const word = lists.words[at] ?? 0
      const slot = next[word] ?? 0
      next[word] = slot + 1
      tools[slot] = tool
      impacts[slot] = lists.impacts[at] ?? 0
    }
    if (tool % toolsPerSlice === 0) yield
  }
  return { starts, tools, impacts }
}
