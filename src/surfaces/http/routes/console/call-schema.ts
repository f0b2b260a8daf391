// The calls of an execution over HTTP: as its journal has them, and as a timeline shows them.
import { z } from "zod"
import { errorTable } from "../../../../core/errors.ts"
import type { ErrorCode } from "../../../../core/errors.ts"
import { timestamp } from "../shared-schema.ts"

export const call = z
  .object({
    address: z.string(),
    args: z.unknown(),
    decision: z.string().meta({ description: "`allow`, `require_approval`, `block`, or `none` if no policy was evaluated." }),
    rule: z.string().exactOptional().meta({ description: "The policy that decided." }),
    status: z.enum(["waiting", "started", "done"]),
    ms: z.number().nullable(),
    error: z
      .object({ code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]), message: z.string() }) // the table's own keys
      .exactOptional(),
    approval: z
      .object({ approvalId: z.string(), answer: z.string(), by: z.string().nullable() })
      .exactOptional()
      .meta({ description: "The question to a human, their answer, and who gave it." }),
    runId: z.string().exactOptional().meta({ description: "The run that it started, where it called an agent: an execution of its own." }),
    depth: z.number().exactOptional().meta({
      description: "Of a call that a tool made, which it follows: through how many tools it came. Absent for the execution's own calls.",
    }),
  })
  .meta({ id: "Call", description: "One call of an execution, from its journal." })

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
    replayedFrom: z.string().exactOptional().meta({ description: "The execution from whose record it was answered, without being made." }),
    wait: z.object({ from: timestamp, to: timestamp.nullable() }).exactOptional().meta({ description: "How long a human was waited for." }),
    written: z
      .string()
      .exactOptional()
      .meta({ description: "The arguments as an agent's model wrote them, where they were read as something else." }),
    answer: z.unknown().exactOptional().meta({ description: "What it returned. Of a long one `{ truncated, totalChars, beginning }`." }),
  })
  .meta({ id: "CallDetail", description: "One call of an execution, as a timeline shows it." })
