// The form in which a document is stored when it is more than one text: with the URL it came from and the files it refers to.
//
// Stored like this it gives the same tools later, whatever its server answers then.

export type DocumentBundle = {
  readonly text: string
  /** Where it was found, after redirects. */
  readonly url: string | null
  readonly files: ReadonlyMap<string, string>
}

const bundleStart = '{"x-executor-bundle":1,'

/** Whether a text would be taken for a stored bundle, which no document of a stranger's may be. */
export const claimsBundle = (text: string): boolean => text.startsWith(bundleStart)

/** A document that stands for itself is stored as it is. */
export function formatBundle(bundle: DocumentBundle, configuredUrl: string | null): string {
  if (bundle.files.size === 0 && bundle.url === configuredUrl && !claimsBundle(bundle.text)) return bundle.text
  const rest = JSON.stringify({ url: bundle.url, text: bundle.text, files: [...bundle.files] })
  return `${bundleStart}${rest.slice(1)}`
}

/** Null for a text that is no bundle. */
export function parseBundle(stored: string): DocumentBundle | null {
  if (!claimsBundle(stored)) return null
  try {
    const { url, text, files } = JSON.parse(stored) as { url?: unknown; text?: unknown; files?: unknown } // every member is checked below
    if (typeof text !== "string" || !Array.isArray(files)) return null
    return { text, url: typeof url === "string" ? url : null, files: new Map(files.filter(isFileEntry)) }
  } catch {
    return null
  }
}

const isFileEntry = (entry: unknown): entry is [string, string] =>
  Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === "string")
