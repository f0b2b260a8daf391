// The calls of an execution as a timeline shows them, over HTTP.
import { z } from "zod"
import { call } from "../execution-schema.ts"
import { timestamp } from "../shared-schema.ts"

export const callDetail = call
  .extend({
    key: z.string().meta({
      description: "Its identity in the journal. That of a call which a tool made begins with that tool's key and a slash.",
    }),
    path: z.string().meta({ description: "As the code names the tool." }),
    effect: z.enum(["read", "write", "destroy"]),
    startedAt: timestamp.nullable().meta({ description: "When it last began, or began to wait for a human." }),
    endedAt: timestamp.nullable(),
    line: z
      .int()
      .exactOptional()
      .meta({ description: "The line of the code that makes it, counted from 1, as the code itself reports it." }),
    replayed: z
      .literal(true)
      .exactOptional()
      .meta({ description: "An earlier run recorded it, and the latest one took its answer from the journal." }),
    wait: z.object({ from: timestamp, to: timestamp.nullable() }).exactOptional().meta({ description: "How long a human was waited for." }),
    answer: z.unknown().exactOptional().meta({ description: "What it returned. Of a long one `{ truncated, totalChars, beginning }`." }),
  })
  .meta({ id: "CallDetail", description: "One call of an execution, as a timeline shows it." })
