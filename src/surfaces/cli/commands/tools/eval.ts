// `executor tools eval`: measures how well search answers requests whose right tools are known.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { parseEvaluationCases } from "../../../../core/evaluation.ts"
import type { CatalogEvaluation, Evaluation } from "../../../../core/evaluation.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { Screen } from "../../print/screen.ts"
import { readInput } from "../../prompt/input-read.ts"
import { withProgress } from "../../print/progress.ts"
import { formatTable } from "../../print/table.ts"
import type { Column } from "../../print/table.ts"
import { safeLine } from "../../../../core/text/safe.ts"

type Row = { readonly name: string; readonly measured: Evaluation }
const missesShown = 10

const columns: readonly Column<Row>[] = [
  { title: "RANKING", value: (row) => row.name, keeps: true },
  { title: "NDCG@5", value: ({ measured }) => measured.ndcg5.toFixed(3) },
  { title: "RECALL@5", value: ({ measured }) => measured.recall5.toFixed(3) },
  { title: "FIRST RIGHT", value: ({ measured }) => measured.hit1.toFixed(3) },
  { title: "P50 MS", value: ({ measured }) => measured.p50Ms.toFixed(2) },
  { title: "P99 MS", value: ({ measured }) => measured.p99Ms.toFixed(2) },
]

export function configure(command: Command): void {
  command
    .description("Measure search quality on queries whose correct tools are known, compared with plain BM25 in the same run.")
    .argument("<file>", "The cases, as a JSON array or one JSON object per line; `-` reads stdin.")
    .addHelpText("after", examples)
  actWithExecutor<[string], object>(command, async ([file], _options, context) => {
    const cases = parseEvaluationCases(await readInput(file === "-" ? file : `@${file}`, "The cases"))
    const evaluation = await withProgress(`Running ${cases.length} queries`, context.screen, () => context.api.tools.evaluate(cases))
    context.print(evaluation, () => evaluationText(evaluation, context.screen))
  })
}

const examples = `
A case is { "query": "create an issue", "tools": { "github.issues.create": 2 } }: 2 means correct, 1 acceptable.

Example:
  $ ${executorCommand} tools eval cases.json
`

function evaluationText({ search, plainBm25, unknownPaths, misses }: CatalogEvaluation, screen: Screen): string {
  const rows = [
    { name: "search", measured: search },
    { name: "plain BM25", measured: plainBm25 },
  ]
  const more = misses.length - missesShown
  return [
    formatTable(columns, rows, { columns: screen.columns, heading: screen.out.bold }),
    ...(unknownPaths.length === 0 ? [] : ["", `Not in the catalog: ${unknownPaths.map((one) => safeLine(one)).join(", ")}`]),
    ...(misses.length === 0 ? [] : ["", screen.out.bold("Missed")]),
    ...misses
      .slice(0, missesShown)
      .map((miss) => safeLine(`  ${miss.query}: expected ${miss.wanted.join(", ")}; found ${miss.found.slice(0, 3).join(", ")}`)),
    ...(more > 0 ? [`  … and ${more} more; --json has all`] : []),
  ].join("\n")
}
