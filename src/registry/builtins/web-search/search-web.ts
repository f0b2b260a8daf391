// Searches the web with a key that was found, which appears in no answer.
import { formsOf, redactResult } from "../../../credentials/redact.ts"
import type { ToolResult } from "../../../core/result.ts"
import type { SearchKey } from "./search-key.ts"
import type { SearchParts } from "./search-provider.ts"
import { serper } from "./serper.ts"

export const topKDefault = 10
export const topKMax = 100

export async function searchWeb(
  query: string,
  { apiKey, endpoint }: Pick<SearchKey, "apiKey" | "endpoint">,
  { topK, ...parts }: SearchParts & { readonly topK?: number },
): Promise<ToolResult> {
  const request = { query, topK: topK ?? topKDefault, apiKey, endpoint: endpoint ?? serper.endpoint }
  return redactResult(await serper.search(request, parts), formsOf(apiKey))
}
