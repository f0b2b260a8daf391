// The English Snowball stemmer (Porter2): brings the forms of a word to one stem.
//
// Our own, because it is a page of rules that never change, and the packages that offer it are either the older
// Porter algorithm ("news" becomes "new") or carry twenty other languages. It answers as the reference does.

import { pairsOf } from "./word-lists.ts"

const vowel = /[aeiouy]/
const doubles = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/
const validLi = /[cdeghkmnrt]$/
const shortSyllableEnd = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/

/** Whole words whose stem the rules would get wrong. */
const special: ReadonlyMap<string, string> = new Map(
  pairsOf(`
    skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl sky:sky
    news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes
  `),
)
const afterPlural = new Set(["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"])
const earlyRegion = /^(?:gener|commun|arsen)/

type Region = { r1: number; r2: number }

const step2 = pairsOf(`
  ization:ize ational:ate ousness:ous iveness:ive fulness:ful tional:tion lessli:less entli:ent ation:ate alism:al aliti:al
  fulli:ful ousli:ous iviti:ive biliti:ble enci:ence anci:ance abli:able izer:ize ator:ate alli:al bli:ble
`)
const step3 = pairsOf(`
  ational:ate tional:tion alize:al icate:ic iciti:ic ical:ic ness: ful:
`)
const step4 = ["ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al", "er", "ic"]

/** The stem of a lower-case word; words that are not plain English letters come back unchanged. */
export function stem(word: string): string {
  if (word.length <= 2 || !/^[a-z']+$/.test(word)) return word
  const exception = special.get(word)
  if (exception !== undefined) return exception
  const marked = markConsonantY(word.replace(/^'/, ""))
  const region = regionsOf(marked)
  const singular = dropPlural(marked.replace(/'s'$|'s$|'$/, ""))
  if (afterPlural.has(singular)) return singular
  const cut = dropAdjective(replaceDerived(replaceAdverbs(replaceY(dropPast(singular, region)), region), region), region)
  return dropFinal(cut, region).replaceAll("Y", "y")
}

/** A `y` that starts a word or follows a vowel is a consonant, and is written `Y` until the end. */
const markConsonantY = (word: string): string => word.replace(/^y/, "Y").replaceAll(/([aeiouy])y/g, "$1Y")

function regionsOf(word: string): Region {
  const early = earlyRegion.exec(word)
  const r1 = early === null ? afterVowelConsonant(word, 0) : early[0].length
  return { r1, r2: afterVowelConsonant(word, r1) }
}

function afterVowelConsonant(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from))
  return found === null ? word.length : from + found.index + 2
}

const isShort = (word: string, region: Region): boolean => region.r1 >= word.length && shortSyllableEnd.test(word)

function dropPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2)
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (/(?:us|ss)$/.test(word)) return word
  if (word.endsWith("s") && vowel.test(word.slice(0, -2))) return word.slice(0, -1)
  return word
}

function dropPast(word: string, region: Region): string {
  const agreed = /eed(?:ly)?$/.exec(word)
  if (agreed !== null) return agreed.index >= region.r1 ? `${word.slice(0, agreed.index)}ee` : word
  const past = /(?:ed|edly|ing|ingly)$/.exec(word)
  if (past === null) return word
  const base = word.slice(0, past.index)
  if (!vowel.test(base)) return word
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`
  if (doubles.test(base)) return base.slice(0, -1)
  return isShort(base, region) ? `${base}e` : base
}

const replaceY = (word: string): string => (/[^aeiouy][yY]$/.test(word) && word.length > 2 ? `${word.slice(0, -1)}i` : word)

function replaceAdverbs(word: string, region: Region): string {
  for (const [suffix, replacement] of step2) {
    if (!word.endsWith(suffix)) continue
    return word.length - suffix.length >= region.r1 ? word.slice(0, -suffix.length) + replacement : word
  }
  if (word.endsWith("ogi")) return word.length - 3 >= region.r1 && word.at(-4) === "l" ? word.slice(0, -1) : word
  if (word.endsWith("li") && word.length - 2 >= region.r1 && validLi.test(word.slice(0, -2))) return word.slice(0, -2)
  return word
}

function replaceDerived(word: string, region: Region): string {
  for (const [suffix, replacement] of step3) {
    if (!word.endsWith(suffix)) continue
    return word.length - suffix.length >= region.r1 ? word.slice(0, -suffix.length) + replacement : word
  }
  if (word.endsWith("ative") && word.length - 5 >= region.r2) return word.slice(0, -5)
  return word
}

function dropAdjective(word: string, region: Region): string {
  for (const suffix of step4) {
    if (!word.endsWith(suffix)) continue
    return word.length - suffix.length >= region.r2 ? word.slice(0, -suffix.length) : word
  }
  if (/[st]ion$/.test(word) && word.length - 3 >= region.r2) return word.slice(0, -3)
  return word
}

function dropFinal(word: string, region: Region): string {
  const last = word.length - 1
  if (word.endsWith("e")) {
    if (last >= region.r2) return word.slice(0, -1)
    return last >= region.r1 && !shortSyllableEnd.test(word.slice(0, -1)) ? word.slice(0, -1) : word
  }
  return word.endsWith("ll") && last >= region.r2 ? word.slice(0, -1) : word
}
