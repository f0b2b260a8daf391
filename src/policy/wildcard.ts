// The one wildcard algorithm, for the segments of a pattern and for the characters of a segment.

/**
 * Whether the items fit the pattern, of which some parts stand for any run of items, also an empty one.
 * When a part does not fit, only the latest run has to take one item more, so that no input is worse than
 * the product of both lengths.
 */
export function fitsPattern<Part, Item>(
  pattern: ArrayLike<Part>,
  items: ArrayLike<Item>,
  isRun: (part: Part) => boolean,
  fitsOne: (part: Part, item: Item) => boolean,
): boolean {
  let partIndex = 0
  let itemIndex = 0
  let runIndex = -1
  let runEnd = 0
  while (itemIndex < items.length) {
    const part = partIndex < pattern.length ? pattern[partIndex] : undefined
    const item = items[itemIndex]
    if (part !== undefined && isRun(part)) {
      runIndex = partIndex++
      runEnd = itemIndex
    } else if (part !== undefined && item !== undefined && fitsOne(part, item)) {
      partIndex++
      itemIndex++
    } else if (runIndex >= 0) {
      partIndex = runIndex + 1
      itemIndex = ++runEnd
    } else return false
  }
  for (let part = pattern[partIndex]; partIndex < pattern.length && part !== undefined && isRun(part); part = pattern[++partIndex]);
  return partIndex === pattern.length
}

/** `*` is any text, `?` one character. */
export const fitsText = (pattern: string, text: string): boolean =>
  fitsPattern(
    pattern,
    text,
    (part) => part === "*",
    (part, character) => part === "?" || part === character,
  )
