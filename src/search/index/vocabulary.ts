// The words of all tool sets, each with a number, as long as a tool set uses it.
import { addForm, letterMask, nearestWords } from "../language/spelling.ts"
import type { Forms, NearWord } from "../language/spelling.ts"

export type Vocabulary = {
  /** The number of a word that some tool set uses. */
  find(word: string): number | undefined
  /** Numbers for the stems of a new tool set, each with the forms it is written in; they are given back with `release`. */
  retain(stems: Iterable<readonly [stem: string, forms: Forms]>): Uint32Array
  release(ids: Uint32Array): void
  /** Stems that may have been meant by a misspelt word, nearest first. Those that `countOf` finds nowhere do not count. */
  similar(word: string, stem: string, countOf: (id: number) => number): NearWord[]
  size(): number
}

export function createVocabulary(): Vocabulary {
  const ids = new Map<string, number>()
  const texts: string[] = []
  const forms: Forms[] = []
  const letters: number[] = []
  const uses: number[] = []
  const free: number[] = []

  const retainOne = ([word, writtenAs]: readonly [string, Forms]): number => {
    const known = ids.get(word)
    if (known !== undefined) {
      uses[known] = (uses[known] ?? 0) + 1
      for (const form of writtenAs) addForm(forms[known] ?? [], form)
      return known
    }
    const id = free.pop() ?? texts.length
    ids.set(word, id)
    texts[id] = word
    forms[id] = [...writtenAs]
    letters[id] = letterMask(writtenAs[0] ?? word)
    uses[id] = 1
    return id
  }
  const releaseOne = (id: number): void => {
    const left = (uses[id] ?? 0) - 1
    uses[id] = left
    if (left > 0) return
    ids.delete(texts[id] ?? "")
    texts[id] = ""
    forms[id] = []
    letters[id] = 0
    free.push(id)
  }

  return {
    find: (word) => ids.get(word),
    retain: (stems) => Uint32Array.from(Array.from(stems, retainOne)),
    release: (released) => released.forEach(releaseOne),
    similar: (word, stem, countOf) => nearestWords({ word, stem }, { texts, forms, letters }, countOf),
    size: () => ids.size,
  }
}
