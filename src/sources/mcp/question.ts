// Translates a server's question for a human, and their answer for the server.
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"
import type { ElicitAnswer, ElicitRequest } from "../../core/call/elicit.ts"
import { mapTexts } from "../../core/json/texts.ts"
import type { Limits } from "../../core/limits.ts"
import { plainText } from "../../core/text/plain.ts"
import { viewLink } from "../../core/text/question.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { boundedText } from "../document-value.ts"

const messageCharsMax = 4000
const urlCharsMax = 8000

export const plainWords = (text: unknown): string => boundedText(typeof text === "string" ? plainText(text) : "", messageCharsMax)

/** No human is shown it; `reason` is for whoever wrote the server. */
export type QuestionRefusal = { readonly kind: "refused"; readonly reason: string }

export function toQuestion(params: ElicitRequestParams, redact: (text: string) => string, limits: Limits): ElicitRequest | QuestionRefusal {
  const message = redact(plainWords(params.message))
  if (params.mode === "url") {
    const { url } = params
    const link = url.length <= urlCharsMax ? viewLink(url) : null
    if (link === null)
      return refuse(`'url' must be an http or https URL without a user name or password, of at most ${urlCharsMax} characters`)
    if (redact(url) !== url || redact(link.href) !== link.href) return refuse("'url' contains a credential of the connection")
    return { kind: "url", message, url: link.href }
  }
  const requestedSchema = mapTexts(params.requestedSchema, (text) => redact(plainText(text))) as JsonSchema // an object stays one
  const isShort = JSON.stringify(requestedSchema).length <= limits.mcpServerStateBytesMax
  return isShort ? { kind: "form", message, requestedSchema } : refuse(`'requestedSchema' is over ${limits.mcpServerStateBytesMax} bytes`)
}

const refuse = (reason: string): QuestionRefusal => ({
  kind: "refused",
  reason: `Executor does not show this question to a human: ${reason}`,
})

/** Visiting a page has no content. */
export function toElicitResult(params: ElicitRequestParams, answer: ElicitAnswer): ElicitResult {
  if (answer.action !== "accept") return answer
  const { content } = answer
  if (params.mode === "url" || typeof content !== "object" || content === null) return { action: "accept" }
  return { action: "accept", content: content as NonNullable<ElicitResult["content"]> } // checked against the form's schema
}
