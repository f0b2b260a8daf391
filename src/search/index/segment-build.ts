// Builds the inverted index of one tool set, one tool at a time, so that the work can be cut into slices.
//
// A tool's text is read field by field; a word's weight in a tool is the sum over the fields it occurs in, less
// in long fields (BM25F). What is written down is that sum after saturation, in one byte: it does not depend on
// the other tools, so that a search only multiplies it with how rare the word is in the catalog it looks at.
import { compoundParts } from "../language/compounds.ts"
import { operationOfTool, isItemOf } from "./operation-of-tool.ts"
import type { ToolOperation } from "./operation-of-tool.ts"
import { firstSentences, plainText, wholeWords } from "../language/describe-short.ts"
import type { IndexedTool } from "../indexed-tool.ts"
import { defaultOrderOf } from "./default-order.ts"
import { createPostingsDraft } from "./postings-draft.ts"
import type { PostingsDraft } from "./postings-draft.ts"
import { isDeprecated, packFacts, sortKey } from "./segment.ts"
import type { Segment } from "./segment.ts"
import { sortSliced } from "./sort-sliced.ts"
import { fields, shownCharsMax, textLimits } from "../tuning.ts"
import type { FieldTuning } from "../tuning.ts"
import { pagingParameters } from "../language/word-lists.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { isStopWord, nameParts, nameWords, proseWords, stemOf } from "../language/words.ts"

export type SegmentBuilder = {
  add(tool: IndexedTool): void
  /** How many tools were added. */
  size(): number
  /** Yields between slices of the remaining work. What it returns takes the words into a vocabulary, at once. */
  finish(): Generator<void, (vocabulary: Vocabulary) => Segment>
}

/** Names that are read between two turns of the event loop. */
const namesPerSlice = 4096

type Draft = {
  readonly postings: PostingsDraft
  readonly names: string[]
  readonly titles: string[]
  readonly descriptions: string[]
  readonly facts: number[]
}

export function createSegmentBuilder(): SegmentBuilder {
  const draft: Draft = { postings: createPostingsDraft(), names: [], titles: [], descriptions: [], facts: [] }
  return { add: (tool) => addTool(draft, tool), size: () => draft.names.length, finish: () => finish(draft) }
}

function addTool(draft: Draft, tool: IndexedTool): void {
  const text = readText(tool)
  const weights = new Map<string, number>()
  const read = (words: readonly string[], field: FieldTuning): void => addField(weights, words, field, draft.postings)
  const summaryWords = proseWords(`${text.title} ${text.summary}`)
  const leadWords = proseWords(text.lead)
  const operation = operationOfTool(text.name, tool.effect)
  const ownNameWords = [...withoutItems(nameWords(text.name)), ...(operation.spoken === operation.verb ? [] : [operation.spoken])]
  read(withParts(ownNameWords, new Set([...summaryWords, ...leadWords])), fields.name)
  read(summaryWords, fields.summary)
  read(leadWords, fields.lead)
  read(proseWords(text.rest), fields.rest)
  read(text.tags.flatMap(nameWords), fields.tags)
  read(text.parameterNames.flatMap(nameWords), fields.parameterNames)
  read(proseWords(text.parameterTexts), fields.parameterTexts)

  const headline = text.summary === "" ? proseWords(firstSentences(text.lead, textLimits.headlineChars)) : summaryWords
  draft.postings.addTool({
    weights,
    name: contentStems(askedName(text.name, operation)),
    headline: contentStems(withoutSelf(headline)),
    thing: stemOf(operation.thing),
    isDeprecated: tool.deprecated,
  })
  draft.names.push(tool.name)
  draft.titles.push(text.title)
  draft.descriptions.push(firstSentences(text.summary === "" ? text.lead : text.summary, shownCharsMax))
  draft.facts.push(packFacts(tool.deprecated, tool.effect, operation.operation))
}

/** What is read of a tool: whatever a source sends, it is a few thousand characters. */
function readText(tool: IndexedTool) {
  // A summary that begins the description is read once.
  const told = tool.description.startsWith(`${tool.summary}\n`) ? tool.description.slice(tool.summary.length) : tool.description
  const description = plainText(wholeWords(told, textLimits.descriptionChars))
  const lead = firstSentences(description, textLimits.leadChars)
  const short = (text: string): string => wholeWords(text, textLimits.parameterChars)
  const parameters = tool.parameters.slice(0, textLimits.parametersMax).filter(({ name }) => !isPaging(name))
  return {
    name: tool.name.slice(0, textLimits.leadChars),
    title: plainText(short(tool.title)),
    summary: plainText(wholeWords(tool.summary, textLimits.leadChars)),
    lead,
    rest: description.slice(lead.length),
    tags: tool.tags.slice(0, textLimits.parametersMax).map(short),
    parameterNames: parameters.map((parameter) => short(parameter.name)),
    parameterTexts: parameters.map((parameter) => short(parameter.description)).join(" "),
  }
}

/** Parameters that turn pages say nothing about what is on them. */
const isPaging = (name: string): boolean => pagingParameters.has(name.toLowerCase().replaceAll(/[^a-z]/g, ""))

/** Names that were written together ("airqualityforecast") are also read by their words. */
function withParts(words: readonly string[], said: ReadonlySet<string>): string[] {
  return words.flatMap((word) => [word, ...compoundParts(word, (part) => said.has(part))])
}

/** A path says a thing twice that it finds in a collection of them, and means it once: `charges charge`. */
const withoutItems = (words: readonly string[]): string[] => words.filter((word, at) => !isItemOf(word, words[at - 1] ?? ""))

/** The words of a name that someone would say who asks for the tool. */
const askedName = (name: string, { verb, spoken }: ToolOperation): string[] =>
  nameParts(name).map((word) => (word === verb ? spoken : word))

/** "For the authenticated user" is what is meant unless another one is named. */
const withoutSelf = (words: readonly string[]): string[] =>
  words
    .join(" ")
    .replaceAll(/\b(?:authenticated|current) user\b/g, "")
    .split(" ")

const contentStems = (words: readonly string[]): string[] => [...new Set(words.filter((word) => !isStopWord(word)).map(stemOf))]

function addField(weights: Map<string, number>, words: readonly string[], field: FieldTuning, postings: PostingsDraft): void {
  const kept: string[] = []
  for (const word of words) {
    if (kept.length >= field.wordsMax) break
    if (isStopWord(word)) continue
    const stem = stemOf(word)
    if (postings.see(stem, word)) kept.push(stem)
  }
  const weight = field.weight / (1 - field.lengthPenalty + (field.lengthPenalty * kept.length) / field.typicalWords)
  for (const stem of kept) weights.set(stem, (weights.get(stem) ?? 0) + weight)
}

function* finish(draft: Draft): Generator<void, (vocabulary: Vocabulary) => Segment> {
  const seal = yield* draft.postings.finish()
  const { names, titles, descriptions } = draft
  const facts = Uint8Array.from(draft.facts)
  const keys: string[] = []
  for (const name of names) if (keys.push(sortKey(name)) % namesPerSlice === 0) yield
  const byName = yield* sortSliced(names.length, (a, b) => ((keys[a] ?? "") < (keys[b] ?? "") ? -1 : 1))
  const defaultOrder = yield* defaultOrderOf(names, byName, (tool) => isDeprecated({ facts }, tool))
  return (vocabulary) => ({ toolCount: names.length, ...seal(vocabulary), names, titles, descriptions, facts, byName, defaultOrder })
}
