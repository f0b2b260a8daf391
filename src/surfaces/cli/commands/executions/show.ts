// `executor executions show`: shows one execution with its calls, or follows it while it runs.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { withoutRoot } from "../../../../core/address.ts"
import type { CallView, ExecutionEvent, ExecutionView } from "../../../../core/execution.ts"
import { callerName } from "../../../../core/principal.ts"
import { isCallCode } from "../../../../core/call/code.ts"
import { usageText } from "../../agents/run-print.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { decisionText } from "../../print/decision-text.ts"
import { exitCodes } from "../../exit-code.ts"
import type { ExitCode } from "../../exit-code.ts"
import { resolveId } from "../../id-resolve.ts"
import { shortTime } from "../../print/page.ts"
import { printReply } from "../../print/reply.ts"
import { formatTable } from "../../print/table.ts"
import type { Column } from "../../print/table.ts"
import { safeJson, safeLine, safeText } from "../../../../core/text/safe.ts"

const columns: readonly Column<CallView>[] = [
  { title: "CALL", value: (call) => `${"  ".repeat(call.depth ?? 0)}${withoutRoot(call.address)}`, keeps: true },
  { title: "ARGUMENTS", value: (call) => JSON.stringify(call.args) },
  { title: "DECISION", value: (call) => decisionText(call.decision) },
  { title: "STATUS", value: (call) => (call.error === undefined ? call.status : call.error.code) },
  { title: "MS", value: (call) => (call.ms === null ? "" : String(Math.round(call.ms))) },
]
const runColumn: Column<CallView> = { title: "RUN", value: (call) => call.runId ?? "", keeps: true }

export function configure(command: Command): void {
  command
    .description("Show an execution: its code, its calls, and its result.")
    .argument("<id>", `The id, as shown by ${executorCommand} executions list. A unique prefix is enough.`)
    .option("--follow", "Follow events until the execution ends or waits for a human.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} executions show exe_123\n  $ ${executorCommand} executions show exe_123 --follow\n`,
    )
  actWithExecutor<[string], { readonly follow?: boolean }>(command, async ([word], options, context) => {
    const id = await resolveId(word, ["exe"], context.api)
    const execution = await context.api.executions.get(id)
    if (options.follow === true) return follow(execution, context)
    context.print(execution, () => showText(execution, context))
    return exitCodes.done
  })
}

function showText(execution: ExecutionView, { screen }: ExecutorCommandContext): string {
  const { bold } = screen.out
  const { principal } = execution
  const usage = usageText(execution)
  const shown = execution.calls.some(({ runId }) => runId !== undefined) ? [...columns, runColumn] : columns
  const ended = execution.endedAt === null ? "" : `, ended ${shortTime(execution.endedAt)}`
  return [
    `${bold(execution.executionId)}  ${execution.status}, started ${shortTime(execution.createdAt)} by ${safeLine(callerName(principal))}${ended}`,
    ...(execution.parentId === undefined ? [] : [`Called by ${execution.parentId}`]),
    "",
    bold(execution.program === "agent" ? "Run" : "Code"),
    safeText(execution.code.trimEnd()),
    "",
    ...(execution.calls.length === 0 ? [] : [formatTable(shown, execution.calls, { columns: screen.columns, heading: bold }), ""]),
    bold("Outcome"),
    outcomeText(execution),
    ...(usage === null ? [] : ["", usage]),
  ].join("\n")
}

/** The text is written compactly, for models; people read a result over several lines. */
function outcomeText({ text, structured }: ExecutionView): string {
  const result = structured.status === "completed" ? structured.result : null
  if (typeof result !== "object" || result === null) return safeText(text)
  return safeText(text.replace(JSON.stringify(result), () => JSON.stringify(result, null, 2)))
}

/** With `--json` one event a line. */
async function follow(execution: ExecutionView, context: ExecutorCommandContext): Promise<ExitCode> {
  for await (const event of context.api.executions.events(execution.executionId)) {
    if (context.printsJson) context.screen.data(safeJson(event))
    else if (event.type === "end" || event.type === "pause")
      return printReply(event.reply, { of: isCallCode(execution.code) ? "call" : "code" }, context)
    else context.screen.note(eventText(event))
  }
  return exitCodes.done
}

type StepEvent = Exclude<ExecutionEvent, { type: "end" | "pause" }>

function eventText(event: StepEvent): string {
  switch (event.type) {
    case "call":
      return safeLine(`${event.call.status} ${withoutRoot(event.call.address)} ${JSON.stringify(event.call.args)}`)
    case "log":
      return safeText(`[${event.line.level}] ${event.line.text}`)
    case "progress":
      return safeLine(
        `${withoutRoot(event.address)} ${event.progress}${event.total === undefined ? "" : ` of ${event.total}`} ${event.message ?? ""}`,
      )
    case "emit":
      return safeJson(event.value, 2)
    case "text":
      return safeText(event.path === undefined ? event.text : `[${event.path.join(" ▸ ")}] ${event.text}`)
  }
}
