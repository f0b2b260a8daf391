// Decodes a page as browsers do: by its byte order mark, its header, what it says itself, or a guess.
const sniffedBytes = 4096

export function decodePage(bytes: Uint8Array, contentType: string): string {
  const label = markOf(bytes) ?? charsetIn(contentType) ?? metaOf(bytes)
  const decoder = label === null ? null : decoderOf(label)
  return decoder === null ? guess(bytes) : decoder.decode(bytes)
}

function markOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  return null
}

const charsetIn = (text: string): string | null => /charset\s*=\s*["']?\s*([^\s"';>/]+)/i.exec(text)?.[1] ?? null

/** In a `meta` element, or in the declaration of an XML document. */
function metaOf(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, sniffedBytes)).toString("latin1")
  for (const [tag] of head.matchAll(/<meta\s[^>]*>/gi)) {
    const label = charsetIn(tag)
    // Whoever reads this so far is not reading UTF-16, whatever it says.
    if (label !== null) return /^utf-?16/i.test(label) ? "utf-8" : label
  }
  return /^\s*<\?xml[^>]*encoding\s*=\s*["']([^"']+)/i.exec(head)?.[1] ?? null
}

function decoderOf(label: string): { decode(bytes: Uint8Array): string } | null {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

function guess(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}
