// Finds the other files that a document refers to.
import { isObject, own } from "../../document-value.ts"

/** A cheap look at the text, so that the many documents without external references are not walked for them. */
export const mayReferOutside = (text: string): boolean => /\$ref["']?\s*:\s*["']?[^#"'\s{]/.test(text)

/** Visits every node once and keeps its own stack, because a document may be deeper than ours. */
export function externalUrls(root: unknown, baseUrl: string): Set<string> {
  const urls = new Set<string>()
  const seen = new Set<unknown>()
  const stack: unknown[] = [root]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue
    seen.add(value)
    const ref = isObject(value) ? own(value, "$ref") : undefined
    if (typeof ref === "string" && !ref.startsWith("#")) {
      const url = URL.parse(ref, baseUrl)
      if (url) urls.add(withoutHash(url))
    }
    for (const child of Object.values(value)) if (typeof child === "object" && child !== null) stack.push(child)
  }
  urls.delete(baseUrl)
  return urls
}

function withoutHash(url: URL): string {
  url.hash = ""
  return url.href
}
