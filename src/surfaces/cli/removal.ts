// What the commands share that end one thing by its id, such as `tokens revoke`.
import type { Command } from "commander"
import type { ExecutorApi } from "../../core/executor-api.ts"
import { safeLine } from "../../core/text/safe.ts"
import { executorCommand } from "../../io/executor-command.ts"
import { actWithExecutor } from "./command-action.ts"
import { listCommandOf, resolveId } from "./id-resolve.ts"
import type { IdKind } from "./id-resolve.ts"
import { confirmLoss } from "./prompt/confirm.ts"

/** `done`: what is said of the id afterwards. */
type Removal = {
  readonly name: string
  readonly kind: IdKind
  readonly done: string
  /** What is asked on a terminal first; left out where nothing is lost that cannot be had again. */
  question?(api: ExecutorApi, id: string): Promise<string>
}

export function configureRemoval(
  command: Command,
  { name, kind, done, question }: Removal,
  remove: (api: ExecutorApi, id: string) => Promise<unknown>,
): void {
  command
    .argument("<id>", `The id, as shown by ${executorCommand} ${listCommandOf(kind)}. A unique prefix is enough.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} ${name} ${kind}_123\n`)
  if (question !== undefined) command.option("-y, --yes", "Skip the confirmation.")
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([word], options, context) => {
    const id = await resolveId(word, [kind], context.api)
    if (question !== undefined) await confirmLoss(await question(context.api, id), options, context.screen)
    await remove(context.api, id)
    context.print({ removed: id }, () => `${done} ${safeLine(id)}`)
  })
}
