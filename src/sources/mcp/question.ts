// A server's question as a human gets it, and their answer as the server does.
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"
import type { ElicitAnswer, ElicitRequest } from "../../core/elicit.ts"
import { mapTexts } from "../../core/json-texts.ts"
import type { Limits } from "../../core/limits.ts"
import { plainText } from "../../core/plain-text.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { boundedText } from "../document-value.ts"

const messageCharsMax = 4000
const urlCharsMax = 8000

export const plainWords = (text: unknown): string => boundedText(typeof text === "string" ? plainText(text) : "", messageCharsMax)

/** Null where no human should be shown it: a link that is no web page or holds a secret, or a form beyond all measure. */
export function toQuestion(params: ElicitRequestParams, redact: (text: string) => string, limits: Limits): ElicitRequest | null {
  const message = redact(plainWords(params.message))
  if (params.mode === "url")
    return isWebPage(params.url) && redact(params.url) === params.url ? { kind: "url", message, url: params.url } : null
  const requestedSchema = mapTexts(params.requestedSchema, (text) => redact(plainText(text))) as JsonSchema // an object stays one
  return JSON.stringify(requestedSchema).length <= limits.mcpServerStateBytesMax ? { kind: "form", message, requestedSchema } : null
}

/** Visiting a page has no content. */
export function toElicitResult(params: ElicitRequestParams, answer: ElicitAnswer): ElicitResult {
  if (answer.action !== "accept") return answer
  const { content } = answer
  if (params.mode === "url" || typeof content !== "object" || content === null) return { action: "accept" }
  return { action: "accept", content: content as NonNullable<ElicitResult["content"]> } // checked against the form's schema
}

function isWebPage(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && text.length <= urlCharsMax
}
