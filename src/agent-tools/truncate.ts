// Cuts the middle out of long texts, so that a model reads how they begin and end, and how much is missing.
//
// Texts pass here more than once: a tool bounds its own output, and the router bounds what all tools answer. A text that has
// been cut is cut again at the same place, so that exactly one marker says how much is missing in all.

/** An estimate that holds for English text and code, and needs no tokenizer. */
const bytesPerToken = 4
const markerPattern = /…(\d{1,15}) tokens truncated…/g

export const tokensOf = (bytes: number): number => Math.ceil(bytes / bytesPerToken)

export function truncateText(text: string, tokensMax: number): string {
  return truncateTexts([text], tokensMax).join("")
}

/** Cuts texts that follow each other as if they were one; what is wholly inside the cut becomes empty. */
export function truncateTexts(texts: readonly string[], tokensMax: number): readonly string[] {
  const bytesMax = tokensMax * bytesPerToken
  const unitCount = texts.reduce((sum, text) => sum + text.length, 0)
  // No character takes more than three bytes for each of its UTF-16 units.
  if (unitCount * 3 <= bytesMax) return texts
  const whole = Buffer.concat(texts.map((text) => Buffer.from(text)))
  const markers = markersOf(whole)
  const markerBytes = markers.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  if (whole.length - markerBytes <= bytesMax) return texts

  const middle = Math.floor(whole.length / 2)
  const distance = ({ start, end }: Marker): number => Math.abs((start + end) / 2 - middle)
  const nowhere: Marker = { start: middle, end: middle, tokens: 0 }
  const earlier = markers.length === 0 ? nowhere : markers.reduce((best, one) => (distance(one) < distance(best) ? one : best))

  const headMax = earlier.start
  const tailMax = whole.length - earlier.end
  const headWanted = Math.min(headMax, Math.max(Math.floor(bytesMax / 2), bytesMax - tailMax))
  const head = characterStart(whole, headWanted)
  const tail = characterEnd(whole, whole.length - Math.min(tailMax, bytesMax - headWanted))
  const removedBytes = tail - head - (earlier.end - earlier.start)
  const marker = `…${earlier.tokens + tokensOf(removedBytes)} tokens truncated…`
  return cutOut(texts, whole, { head, tail, marker })
}

type Cut = { readonly head: number; readonly tail: number; readonly marker: string }

function cutOut(texts: readonly string[], whole: Buffer, { head, tail, marker }: Cut): readonly string[] {
  let start = 0
  let isMarked = false
  return texts.map((text) => {
    const end = start + Buffer.byteLength(text)
    const first = whole.toString("utf8", start, Math.max(start, Math.min(end, head)))
    const last = whole.toString("utf8", Math.min(end, Math.max(start, tail)), end)
    const isMarkedHere = !isMarked && end > head
    isMarked ||= isMarkedHere
    start = end
    return isMarkedHere ? first + marker + last : first + last
  })
}

type Marker = { readonly start: number; readonly end: number; readonly tokens: number }

function markersOf(whole: Buffer): readonly Marker[] {
  const text = whole.toString()
  let units = 0
  let start = 0
  return [...text.matchAll(markerPattern)].map((match) => {
    start += Buffer.byteLength(text.slice(units, match.index))
    units = match.index
    return { start, end: start + Buffer.byteLength(match[0]), tokens: Number(match[1]) }
  })
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000

function characterStart(bytes: Buffer, offset: number): number {
  let at = offset
  while (at > 0 && isContinuation(bytes[at])) at -= 1
  return at
}

function characterEnd(bytes: Buffer, offset: number): number {
  let at = offset
  while (at < bytes.length && isContinuation(bytes[at])) at += 1
  return at
}
