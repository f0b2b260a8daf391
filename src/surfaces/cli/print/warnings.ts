// What a source gets wrong, said where it was added instead of being left for somebody to find.
import { executorCommand } from "../../../io/executor-command.ts"
import type { IntegrationView } from "../../../core/integration.ts"
import type { Screen } from "./screen.ts"
import { counted } from "./count.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { fitText } from "./width.ts"

const shownMax = 3
const widthMax = 200

export function printWarnings({ slug, facts }: Pick<IntegrationView, "slug" | "facts">, screen: Screen): void {
  for (const { location, message } of facts.warnings.slice(0, shownMax))
    screen.note(`${screen.err.yellow("warning:")} ${fitText(safeLine(location === "" ? message : `${message} (${location})`), widthMax)}`)
  const more = facts.warnings.length - shownMax
  if (more > 0) screen.note(`${counted(more, "more warning")}: ${executorCommand} integrations show ${slug}`)
}
