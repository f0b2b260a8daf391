// Says which patterns of a role or a token match no tool today, because a slip of the pen looks like one that hides everything.
import { executorCommand } from "../../../io/executor-command.ts"
import { safeLine } from "../../../core/text/safe.ts"
import type { ExecutorCommandContext } from "../command-action.ts"

export async function notePatterns(patterns: readonly string[], { api, screen, printsJson }: ExecutorCommandContext): Promise<void> {
  if (printsJson) return
  for (const pattern of patterns)
    if ((await api.roles.preview([pattern])).count === 0)
      screen.note(`No tool that you see currently matches ${safeLine(pattern)}. To try patterns, run ${executorCommand} roles preview`)
}
