// Builds the inverted index of one tool set, one tool at a time, so that the work can be cut into slices.
//
// A tool's text is read field by field; a word's weight in a tool is the sum over the fields it occurs in, less
// in long fields (BM25F). What is written down is that sum after saturation, in one byte: it does not depend on
// the other tools, so that a search only multiplies it with how rare the word is in the catalog it looks at.
import { compoundParts } from "./compounds.ts"
import { describeShort, plainText } from "./describe-short.ts"
import type { IndexedTool } from "./indexed-tool.ts"
import { plainnessOf } from "./plainness.ts"
import { createPostingsDraft } from "./postings-draft.ts"
import type { PostingsDraft } from "./postings-draft.ts"
import { packFacts, sortKey } from "./segment.ts"
import type { Segment } from "./segment.ts"
import { fields, shownCharsMax, textLimits } from "./tuning.ts"
import type { FieldTuning } from "./tuning.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { isStopWord, nameWords, proseWords, stemOf } from "./words.ts"

export type SegmentBuilder = {
  /** Answers how many characters were read, by which slices are measured. */
  add(tool: IndexedTool): number
  /** Yields between slices of the remaining work. What it returns takes the words into a vocabulary, at once. */
  finish(): Generator<void, (vocabulary: Vocabulary) => Segment>
}

type Draft = {
  readonly postings: PostingsDraft
  readonly names: string[]
  readonly titles: string[]
  readonly descriptions: string[]
  readonly facts: number[]
}

export function createSegmentBuilder(): SegmentBuilder {
  const draft: Draft = { postings: createPostingsDraft(), names: [], titles: [], descriptions: [], facts: [] }
  return { add: (tool) => addTool(draft, tool), finish: () => finish(draft) }
}

function addTool(draft: Draft, tool: IndexedTool): number {
  const description = plainText(tool.description.slice(0, textLimits.descriptionChars))
  const lead = describeShort(description, textLimits.leadChars)
  const summary = plainText(tool.summary.slice(0, textLimits.descriptionChars))
  const parameters = tool.parameters.slice(0, textLimits.parametersMax)
  const parameterText = parameters.map((parameter) => parameter.description.slice(0, textLimits.parameterChars)).join(" ")
  const summaryWords = proseWords(`${tool.title} ${summary}`)
  const leadWords = proseWords(lead)
  const name = splitName(tool.name, new Set([...summaryWords, ...leadWords]))

  const weights = new Map<string, number>()
  const read = (words: readonly string[], field: FieldTuning): void => addField(weights, words, field, draft.postings)
  read(name, fields.name)
  read(summaryWords, fields.summary)
  read(leadWords, fields.lead)
  read(proseWords(description.slice(lead.length)), fields.rest)
  read(tool.tags.slice(0, textLimits.parametersMax).flatMap(nameWords), fields.tags)
  read(
    parameters.flatMap((parameter) => nameWords(parameter.name)),
    fields.parameterNames,
  )
  read(proseWords(parameterText), fields.parameterTexts)

  const headline = summary === "" ? proseWords(describeShort(description, textLimits.headlineChars)) : summaryWords
  draft.postings.addTool({ weights, name: contentStems(nameWords(tool.name)), headline: shortHeadline(contentStems(headline)) })
  draft.names.push(tool.name)
  draft.titles.push(tool.title)
  draft.descriptions.push(describeShort(summary === "" || lead.startsWith(summary) ? lead : summary, shownCharsMax))
  draft.facts.push(packFacts(tool.deprecated, tool.effect))
  return description.length + parameterText.length + summary.length
}

/** Names that were written together ("airqualityforecast") are also read by their words. */
function splitName(name: string, said: ReadonlySet<string>): string[] {
  return nameWords(name).flatMap((word) => [word, ...compoundParts(word, (part) => said.has(part))])
}

const contentStems = (words: readonly string[]): string[] => [...new Set(words.filter((word) => !isStopWord(word)).map(stemOf))]

/** A long first sentence is no headline: nobody asks for all of it. */
const shortHeadline = (stems: string[]): string[] => (stems.length > textLimits.headlineWords ? [] : stems)

function addField(weights: Map<string, number>, words: readonly string[], field: FieldTuning, postings: PostingsDraft): void {
  const kept: string[] = []
  for (const word of words) {
    if (kept.length >= field.wordsMax) break
    if (isStopWord(word)) continue
    const stem = stemOf(word)
    postings.see(stem, word)
    kept.push(stem)
  }
  const weight = field.weight / (1 - field.lengthPenalty + (field.lengthPenalty * kept.length) / field.typicalWords)
  for (const stem of kept) weights.set(stem, (weights.get(stem) ?? 0) + weight)
}

function* finish(draft: Draft): Generator<void, (vocabulary: Vocabulary) => Segment> {
  const seal = yield* draft.postings.finish()
  const { names, titles, descriptions } = draft
  const facts = Uint8Array.from(draft.facts)
  const keys = names.map(sortKey)
  const byName = Uint32Array.from(names.keys()).toSorted((a, b) => ((keys[a] ?? "") < (keys[b] ?? "") ? -1 : 1))
  yield
  const plainness = plainnessOf(names, facts)
  yield
  return (vocabulary) => ({ toolCount: names.length, ...seal(vocabulary), names, titles, descriptions, facts, byName, plainness })
}
