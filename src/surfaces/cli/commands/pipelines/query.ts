// `executor pipelines query`: asks a pipeline.
import type { Command } from "commander"
import type { PipelineAnswer } from "../../../../core/retrieval/pipeline.ts"
import { safeLine, safeText } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseCount } from "../../option-parse.ts"
import { pipelineArgument } from "../../pipelines/options.ts"
import { inCommands } from "../../registry/act.ts"

type Options = { readonly top?: number; readonly source?: string; readonly title?: string }

export function configure(command: Command): void {
  pipelineArgument(command)
    .argument("<question...>", "What to look for, in plain words.")
    .option("--top <number>", "At most so many results; 5 by default.", parseCount)
    .option("--source <prefix>", "Only documents whose source begins so, e.g. docs/guide/.")
    .option("--title <prefix>", "Only documents whose title begins so.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} pipelines query handbook how many days of holiday do I have\n`)
  actWithExecutor<[string, string[]], Options>(command, async ([id, words], { top, source, title }, context) => {
    const filter = omitUndefined({ sourcePrefix: source, titlePrefix: title })
    const question = { query: words.join(" "), ...omitUndefined({ topK: top }), ...(Object.keys(filter).length === 0 ? {} : { filter }) }
    const answer = await inCommands(() => context.api.pipelines.query(id, question))
    const { bold, dim } = context.screen.out
    if (context.printsJson || answer.results.length > 0) context.print(answer, () => textOf(answer, bold, dim))
    if (context.printsJson) return
    if (answer.results.length === 0) context.screen.note("Nothing fits. Ask in other words, or without --source and --title")
    if (answer.degraded !== undefined) context.screen.note(`${context.screen.err.yellow("warning:")} ${degradedText[answer.degraded]}`)
  })
}

const degradedText: Readonly<Record<NonNullable<PipelineAnswer["degraded"]>, string>> = {
  embeddings_unavailable: "Only words were compared, because the embedding endpoint failed",
  embeddings_pending: "Some documents are found by words only, until their vectors are made",
}

const textOf = ({ results }: PipelineAnswer, bold: (text: string) => string, dim: (text: string) => string): string =>
  results
    .map(
      ({ text, title, source, position }) =>
        `${bold(safeLine(title))}  ${dim(`${safeLine(source ?? "")} #${position}`)}\n${safeText(text.trim()).replaceAll(/^/gm, "  ")}`,
    )
    .join("\n\n")
