// The identity of a call: its tool and arguments, and how often they occurred before. Never its position.
//
// Inside `Promise.all` the order of calls follows the latency of earlier ones, so that a position would name another
// call in the next run. Equal calls are told apart by counting, which every replay does in the same way.
import { hash } from "node:crypto"
import { canonicalJson } from "../../../core/json/canonical.ts"
import type { CallKind } from "../../sandbox.ts"

const canonicalDepthMax = 64

/** Text that is nested deeper than any tool accepts is taken as it stands. */
export function canonicalText(text: string): string {
  // The guest writes without blanks: text without a comma has nothing to put in order.
  if (!text.includes(",")) return text
  try {
    return canonicalJson(JSON.parse(text), canonicalDepthMax)
  } catch {
    return text
  }
}

export const callHash = (kind: CallKind, path: string, argsJson: string): string =>
  hash("sha256", `${kind}\n${JSON.stringify(path)}\n${canonicalText(argsJson)}`, "base64url")

export type CallCounter = { keyOf(kind: CallKind, path: string, argsJson: string): string }

export function createCallCounter(): CallCounter {
  const asked = new Map<string, number>()
  return {
    keyOf(kind, path, argsJson) {
      const content = callHash(kind, path, argsJson)
      const occurrence = asked.get(content) ?? 0
      asked.set(content, occurrence + 1)
      return `${content}:${occurrence}`
    },
  }
}
