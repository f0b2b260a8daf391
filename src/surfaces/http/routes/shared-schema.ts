// The schemas that several routes share: timestamps, paging parameters and pages.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"

export const timestamp = z.string().meta({ format: "date-time" })

/** What models have used. */
export const usageFields = {
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number().exactOptional().meta({ description: "Of the input, what the provider had cached." }),
  costUsd: z.number().exactOptional().meta({ description: "Absent where a model has no price." }),
}

export const pageFields = (limits: Limits) => ({
  limit: z.int().min(1).max(limits.pageSizeMax).exactOptional().meta({ description: "The maximum number of items on a page." }),
  cursor: z
    .string()
    .min(1)
    .max(limits.cursorCharsMax)
    .exactOptional()
    .meta({ description: "The `nextCursor` of the previous page. An opaque string." }),
})

export const pageOf = <Item extends z.ZodType>(id: string, item: Item) =>
  z
    .object({
      items: z.array(item),
      nextCursor: z.string().nullable().meta({ description: "The cursor of the next page; null on the last one." }),
    })
    .meta({ id })

export const callPath = z
  .array(z.string())
  .exactOptional()
  .meta({ description: "The tools and agents that lead to it; absent for the execution's own." })
