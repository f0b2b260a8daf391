// The options that say how a pipeline is indexed.
import type { Command } from "commander"
import type { PipelineUpdate } from "../../../core/retrieval/pipeline.ts"
import { executorCommand } from "../../../io/executor-command.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { parseCount, parseOffset } from "../option-parse.ts"
import { UsageError } from "../usage-error.ts"

export type IndexOptions = {
  readonly tokens?: number
  readonly overlap?: number
  readonly provider?: string
  readonly model?: string
  readonly dimensions?: number
}

export const addIndexOptions = (command: Command): Command =>
  command
    .option("--tokens <number>", "How large chunks are; 400 by default.", parseCount)
    .option("--overlap <number>", "How much of a chunk the next one repeats; 60 by default.", parseOffset)
    .option("--provider <id>", `A model provider that makes vectors, as shown by ${executorCommand} models list.`)
    .option("--model <name>", "Its embedding model.")
    .option("--dimensions <number>", "How many numbers a vector of that model has.", parseCount)

export function readIndexOptions({
  tokens,
  overlap,
  provider,
  model,
  dimensions,
}: IndexOptions): Pick<PipelineUpdate, "chunking" | "embedding"> {
  const given = [provider, model, dimensions].filter((value) => value !== undefined)
  if (given.length > 0 && given.length < 3) throw new UsageError("Vectors need all of --provider, --model and --dimensions")
  const chunking = omitUndefined({ tokens, overlap })
  return {
    ...(Object.keys(chunking).length === 0 ? {} : { chunking }),
    ...(provider === undefined || model === undefined || dimensions === undefined ? {} : { embedding: { provider, model, dimensions } }),
  }
}

export const pipelineArgument = (command: Command): Command =>
  command.argument("<pipeline>", `The slug or id, as shown by ${executorCommand} pipelines list.`)
