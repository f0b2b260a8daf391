// The schemas that several routes share: points in time, how a page is asked for, and what it looks like.
import { z } from "zod"
import type { Limits } from "../../core/limits.ts"

export const timestamp = z.string().meta({ format: "date-time" })

export const pageFields = (limits: Limits) => ({
  limit: z.int().min(1).max(limits.pageSizeMax).exactOptional().meta({ description: "How many items a page holds at most." }),
  cursor: z
    .string()
    .min(1)
    .max(limits.cursorCharsMax)
    .exactOptional()
    .meta({ description: "Where the page begins: the `nextCursor` of the page before. Opaque." }),
})

export const pageOf = <Item extends z.ZodType>(id: string, item: Item) =>
  z
    .object({
      items: z.array(item),
      nextCursor: z.string().nullable().meta({ description: "Asks for the next page; null on the last one." }),
    })
    .meta({ id })
