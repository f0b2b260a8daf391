// Every number that search is tuned with, each with what it does.

/** A part of a tool's text: how much a word in it counts, and how long it usually is (in longer ones a word counts less). */
export type FieldTuning = {
  readonly weight: number
  readonly typicalWords: number
  readonly lengthPenalty: number
  readonly wordsMax: number
}

export const fields = {
  name: { weight: 3, typicalWords: 4, lengthPenalty: 0.6, wordsMax: 40 },
  summary: { weight: 1.5, typicalWords: 6, lengthPenalty: 0.6, wordsMax: 60 },
  /** The first sentences of a description say what a tool does; the rest is conditions and warnings. */
  lead: { weight: 1.2, typicalWords: 14, lengthPenalty: 0.5, wordsMax: 60 },
  rest: { weight: 0.25, typicalWords: 40, lengthPenalty: 0.5, wordsMax: 200 },
  tags: { weight: 0.6, typicalWords: 2, lengthPenalty: 0.5, wordsMax: 30 },
  parameterNames: { weight: 1.5, typicalWords: 8, lengthPenalty: 0.4, wordsMax: 150 },
  parameterTexts: { weight: 1.5, typicalWords: 40, lengthPenalty: 0.5, wordsMax: 300 },
} satisfies Record<string, FieldTuning>

export const tuning = {
  /** BM25's saturation: the second mention of a word counts less than the first. */
  saturation: 1.2,

  /** How surely a related word is meant: another verb or noun for the same, a word of the same walk of life, a one-way relation. */
  verbWeight: 0.6,
  nounWeight: 0.75,
  topicWeight: 0.45,
  aliasFactor: 0.8,
  /** A word that was probably misspelt, by the number of mistakes. */
  typoWeights: [1, 0.7, 0.5],

  /** How much a word of the request counts that says little, that was left out, or that only orders: a number, a word of a value. And the kind of a value. */
  weakWordWeight: 0.4,
  kindWeight: 0.3,

  /** A name is a brand where at most this share of the other integrations' tools have its word. */
  brandElsewhere: 0.02,
  /** What a tool gains when all words of its name, or of its headline, were asked for. */
  nameCoverage: 0.9,
  headlineCoverage: 0.5,
  /** Rare words of a name weigh more in that, by this power of their rarity. */
  coverageRarity: 0.5,
  deprecatedFactor: 0.7,
  /** A tool is worth showing from this share of what its words bring the best one. */
  worthShare: 0.15,
  /** Below this share of the request that the first tools answer, probably none fits. Of the requests that have a tool 0 to 12 % lie below it, of those without one 29 to 41 %. */
  weakBelow: 0.2,
  /** What a tool gains that deals with the very thing that was asked for, and not with something of it. */
  thingBonus: 0.15,
  /** What a tool keeps of its score that was not asked for: of another integration than the one that was named, or of another thing, as `deleteBranchProtection` for "delete a branch". */
  strangerFactor: 0.9,
  /** What Executor's own tools keep where a request does not name them. */
  ownFactor: 0.4,
  /** How much it counts that a tool does something else than the request wants, where no verb says what it wants. */
  guessedOperation: 0.5,
  /** What the best tool for one of several intents gains, and what the others for it gain. */
  intentBest: 1.5,
  intentOther: 0.75,
  /** What a word of the request still counts for a tool where one before it has answered that word. */
  coveredFactor: 0.85,
}

/** What the index keeps of a tool's text; more would be memory for boilerplate. */
export const textLimits = {
  descriptionChars: 4000,
  leadChars: 300,
  parameterChars: 400,
  parametersMax: 200,
  headlineChars: 80,
  /** Sixty times the words of GitHub's API. More is noise that someone put there. */
  wordsPerSet: 100_000,
}
/** What a hit shows of a description: twelve hits stay below 900 tokens. */
export const shownCharsMax = 110

/** What is read of a request; the rest of a longer one says nothing new. */
export const requestLimits = { chars: 4000, words: 64, intents: 8, unknownWords: 6 }
/** How many tools are ranked with care; those after them keep the order of their words alone. */
export const candidatesMax = { whole: 100, intent: 40 }
