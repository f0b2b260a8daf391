// Measures how wide JSON is from its text alone, because parsing it is the expensive part of wide arguments.

export type JsonShapeMax = { readonly objectKeys: number; readonly values: number }

const code = { quote: 34, comma: 44, openArray: 91, backslash: 92, closeArray: 93, openObject: 123, closeObject: 125 } as const

/** A key takes at least `"":1,`, and a value `1,`. */
const keyCharsMin = 5
const valueCharsMin = 2

/** One pass over everything outside of strings; the text is trusted to be JSON. */
export function isWiderThan(json: string, max: JsonShapeMax): boolean {
  if (json.length < Math.min(max.objectKeys * keyCharsMin, max.values * valueCharsMin)) return false
  const outer: number[] = []
  // Below zero there is no object to count the keys of.
  let keys = -1
  let values = 1
  for (let index = 0; index < json.length; index++) {
    switch (json.charCodeAt(index)) {
      case code.quote:
        index = endOfString(json, index)
        break
      case code.comma:
        values++
        if (keys > 0) keys++
        break
      case code.openObject:
      case code.openArray:
        outer.push(keys)
        keys = json.charCodeAt(index) === code.openObject ? 1 : -1
        if (!isClosing(json.charCodeAt(index + 1))) values++
        break
      case code.closeObject:
      case code.closeArray:
        keys = outer.pop() ?? -1
        break
    }
    if (keys > max.objectKeys || values > max.values) return true
  }
  return false
}

const isClosing = (char: number): boolean => char === code.closeArray || char === code.closeObject

function endOfString(json: string, start: number): number {
  let index = start + 1
  while (index < json.length && json.charCodeAt(index) !== code.quote) index += json.charCodeAt(index) === code.backslash ? 2 : 1
  return index
}
