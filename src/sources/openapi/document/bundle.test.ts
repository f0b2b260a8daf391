// Stored documents: what is read from the store is what was written, whatever a document claims to be.
import { expect, test } from "vitest"
import { formatBundle, parseBundle } from "./bundle.ts"

const url = "https://api.example/openapi.json"
const alone = (text: string) => ({ text, url, files: new Map<string, string>() })

test("a document that stands for itself is stored as it is", () => {
  expect(formatBundle(alone('{"openapi":"3.1.0"}'), url)).toBe('{"openapi":"3.1.0"}')
  expect(parseBundle('{"openapi":"3.1.0"}')).toBe(null)
})

test("a document that claims to be a bundle is read as the document that it was", () => {
  const claim = '{"x-executor-bundle":1,"url":"https://evil.example/","text":"openapi: 3.1.0","files":[["https://bank.example/x","y"]]}'
  expect(parseBundle(formatBundle(alone(claim), url))).toEqual(alone(claim))
})
