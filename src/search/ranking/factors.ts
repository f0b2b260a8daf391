// What multiplies the score that a tool has by its words: how much of it was asked for, and whether it does what is wanted.
import { ownSlug } from "../../core/address.ts"
import type { Factors } from "../indexed-tool.ts"
import { noWord, operationOf } from "../index/segment.ts"
import type { WordLists } from "../index/segment.ts"
import type { Operation } from "../language/verb-lists.ts"
import { stemOf } from "../language/words.ts"
import type { Catalog, Concept } from "../query/concepts.ts"
import type { Wanted } from "../query/operation-of-request.ts"
import { tuning } from "../tuning.ts"
import type { Candidate } from "./candidates.ts"
import type { Intent } from "./rank.ts"

export function factorsFor(intent: Intent, { counts }: Catalog): (candidate: Candidate) => Factors {
  const { concepts, wanted } = intent
  const asked = askedWords(concepts.every((concept) => concept.isBrand) ? [] : concepts)
  const thingStem = wanted === null ? "" : stemOf(wanted.thing)
  const thingWords = askedWords(concepts.filter((concept) => concept.stem === thingStem))
  const isCommand = wanted !== null && wanted.operation !== "read" && wanted.said && thingWords.size > 0
  const weightOf = remember((word: number) => Math.max(0.5, counts.rarity(counts.count(word))) ** tuning.coverageRarity)
  const branded = new Set(concepts.flatMap((concept) => (concept.isBrand ? [...concept.namedGroups] : [])))

  const thingOf = (candidate: Candidate): number => {
    const thing = candidate.group.segment.things[candidate.tool] ?? noWord
    const isStranger = isCommand && thing !== noWord && !asked.has(thing)
    return isStranger ? tuning.strangerFactor : 1 + tuning.thingBonus * (thingWords.get(thing) ?? 0)
  }
  const integrationOf = ({ group }: Candidate): number => {
    if (branded.has(group)) return 1
    if (branded.size > 0) return tuning.strangerFactor
    return group.mounts.every(({ mount }) => mount.integration === ownSlug) ? tuning.ownFactor : 1
  }
  return (candidate) => ({
    words: coverageFactor(candidate, asked, weightOf),
    thing: thingOf(candidate),
    operation: fitOf(wanted, operationOf(candidate.group.segment, candidate.tool)),
    integration: integrationOf(candidate),
  })
}

/** Every word that was asked for, with how surely. */
function askedWords(concepts: readonly Concept[]): Map<number, number> {
  const asked = new Map<number, number>()
  for (const concept of concepts) {
    for (const { word, weight } of concept.alternatives) asked.set(word, Math.max(weight, asked.get(word) ?? 0))
  }
  return asked
}

type WeightOf = (word: number) => number

function coverageFactor({ group, tool }: Candidate, asked: ReadonlyMap<number, number>, weightOf: WeightOf): number {
  const { nameWords, headlineWords } = group.segment
  return (
    1 +
    tuning.nameCoverage * coverage(nameWords, tool, asked, weightOf) +
    tuning.headlineCoverage * coverage(headlineWords, tool, asked, weightOf)
  )
}

/** How much of a list of words was asked for, from 0 to 1. */
function coverage({ words, starts }: WordLists, tool: number, asked: ReadonlyMap<number, number>, weightOf: WeightOf): number {
  let whole = 0
  let covered = 0
  const end = starts[tool + 1] ?? 0
  for (let at = starts[tool] ?? 0; at < end; at += 1) {
    const word = words[at] ?? 0
    const weight = weightOf(word)
    whole += weight
    covered += weight * (asked.get(word) ?? 0)
  }
  return whole === 0 ? 0 : covered / whole
}

/** The same words come in most names: their weights are worked out once. */
function remember(workOut: WeightOf): WeightOf {
  const known = new Map<number, number>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = workOut(word)
    known.set(word, found)
    return found
  }
}

/** What a tool keeps, by what is wanted and what it does. Soft, because the words mostly say it as well; but who reads must not be shown a deletion first. */
const fits: Readonly<Record<Operation, Readonly<Record<Operation, number>>>> = {
  read: { read: 1, create: 0.7, update: 0.7, delete: 0.6, change: 0.75 },
  create: { read: 0.65, create: 1, update: 0.8, delete: 0.6, change: 0.95 },
  update: { read: 0.65, create: 0.8, update: 1, delete: 0.65, change: 0.95 },
  delete: { read: 0.65, create: 0.7, update: 0.75, delete: 1, change: 0.9 },
  change: { read: 0.65, create: 1, update: 1, delete: 0.9, change: 1 },
}

function fitOf(wanted: Wanted | null, operation: Operation): number {
  if (wanted === null) return 1
  const fit = fits[wanted.operation][operation]
  return wanted.said ? fit : 1 - (1 - fit) * tuning.guessedOperation
}
