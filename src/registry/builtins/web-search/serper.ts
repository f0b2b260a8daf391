// Searches the web with Serper (google.serper.dev).
import { isRecord } from "../../../core/json/record.ts"
import { fail, succeed } from "../../../core/result.ts"
import type { ToolFailure } from "../../../core/result.ts"
import type { OutboundResponse } from "../../../io/network/outbound.ts"
import type { SearchHit, SearchProvider } from "./search-provider.ts"

const answerBytesMax = 4 * 1024 * 1024
const textCharsMax = 2000

export const serper: SearchProvider = {
  name: "serper",
  endpoint: "https://google.serper.dev/search",
  async search({ query, topK, apiKey, endpoint }, { outbound, timeoutMs, signal }) {
    const answer = await outbound.send({
      method: "POST",
      url: endpoint,
      headers: { "x-api-key": apiKey, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ q: query, num: topK }),
      timeoutMs,
      signal,
      responseBytesMax: answerBytesMax,
    })
    if (!answer.ok) return fail(answer.code, answer.message, { retryable: answer.retryable })
    const body = bodyOf(answer)
    if (answer.status >= 300) return refused(answer.status, body)
    if (!isRecord(body)) return fail("upstream_error", "The search provider's answer is no JSON object", { status: answer.status })
    const organic = Array.isArray(body["organic"]) ? (body["organic"] as unknown[]) : []
    const direct = answerIn(body["answerBox"])
    return succeed({
      query,
      provider: "serper",
      ...(direct === null ? {} : { answer: direct }),
      results: organic.flatMap(hitOf).slice(0, topK),
    })
  },
}

function bodyOf({ bytes }: OutboundResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return null
  }
}

function refused(status: number, body: unknown): ToolFailure {
  if (status === 401 || status === 403) return fail("auth_required", "The search provider does not accept the API key", { status })
  const message = isRecord(body) && typeof body["message"] === "string" ? `: ${body["message"].slice(0, 300)}` : ""
  if (status === 429) return fail("rate_limited", `The search provider is asked too often${message}`, { status })
  return fail("upstream_error", `The search provider answered ${status}${message}`, { status })
}

const textIn = (value: unknown): string => (typeof value === "string" ? value.slice(0, textCharsMax).toWellFormed() : "")

function hitOf(item: unknown): SearchHit[] {
  if (!isRecord(item) || typeof item["link"] !== "string") return []
  const date = textIn(item["date"])
  return [
    {
      title: textIn(item["title"]),
      url: textIn(item["link"]),
      snippet: textIn(item["snippet"]),
      ...(date === "" ? {} : { date }),
    },
  ]
}

function answerIn(box: unknown): string | null {
  if (!isRecord(box)) return null
  return textIn(box["answer"]) || textIn(box["snippet"]) || null
}
