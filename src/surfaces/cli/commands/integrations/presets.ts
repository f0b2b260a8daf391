// `executor integrations presets`: lists the well-known APIs that can be added by name.
import { Option } from "commander"
import type { Command } from "commander"
import { presetCategories, presetKinds } from "../../../../core/presets/preset.ts"
import type { PresetCategory, PresetKind, PresetView } from "../../../../core/presets/preset.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

type Options = PageOptions & { readonly kind?: PresetKind; readonly category?: PresetCategory }

const columns: readonly Column<PresetView>[] = [
  { title: "PRESET", value: ({ id }) => id, keeps: true },
  { title: "NAME", value: ({ name }) => name },
  { title: "KIND", value: ({ kind }) => kind },
  { title: "AUTH", value: ({ auth }) => auth.map(({ template }) => template).join(", ") },
  { title: "DESCRIPTION", value: ({ description }) => description },
]

export function configure(command: Command): void {
  command
    .argument("[query...]", "Words of its name or description.")
    .addOption(new Option("--kind <kind>", "Only this kind.").choices(presetKinds))
    .addOption(new Option("--category <category>", "Only this category.").choices(presetCategories))
  addPageOptions(command, `\nExamples:\n  $ ${executorCommand} integrations presets\n  $ ${executorCommand} integrations presets issues\n`)
  actWithExecutor<[string[]], Options>(command, async ([words], options, context) => {
    const { kind, category } = options
    const query = words.length === 0 ? undefined : words.join(" ")
    const page = await context.api.presets.list({ ...pageRequest(options), ...omitUndefined({ query, kind, category }) })
    const empty = `No preset fits. Add the API by its URL: ${executorCommand} integrations add https://…`
    printPage(page, columns, empty, context)
    if (!context.printsJson && page.items.length > 0)
      context.screen.note(`Add one: ${executorCommand} integrations add ${page.items[0]?.id}`)
  })
}
