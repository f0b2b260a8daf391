// What an execution came to: its result or error, what it logged and emitted, and what an agent used.
import type { ReactNode } from "react"
import { useState } from "react"
import type { ExecutionView, LogLine } from "toolplane/client"
import { client } from "../../api/client.ts"
import { Button, LinkButton } from "../../ui/button.tsx"
import { Json } from "../../ui/text/json.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { Line, Prose, safeLine, safeText } from "../../ui/text/text.tsx"
import { toastError } from "../../ui/toast.tsx"
import { costText } from "./cost.ts"
import { Fact, Facts } from "./fact.tsx"
import type { Live } from "./queries.ts"

type OutcomeProps = {
  readonly execution: ExecutionView
  readonly live: Live
  readonly tab: string | undefined
  readonly onTab: (tab: string) => void
}

export function Outcome({ execution, live, tab, onTab }: OutcomeProps): ReactNode {
  const { structured, status } = execution
  const logs = status === "running" ? [...structured.logs, ...live.logs] : structured.logs
  const tabs = [
    { id: "result", label: "Result", content: <Result execution={execution} live={live} /> },
    { id: "logs", label: `Logs (${logs.length})`, content: <Logs logs={logs} /> },
    ...(structured.emitted.length === 0
      ? []
      : [{ id: "emitted", label: `Emitted (${structured.emitted.length})`, content: <Json value={structured.emitted} label="Emitted" /> }]),
  ]
  return (
    <>
      <h2 className="text-lg font-semibold">Outcome</h2>
      <Tabs label="Outcome" tabs={tabs} open={tabs.some(({ id }) => id === tab) ? (tab ?? "result") : "result"} onOpen={onTab} />
    </>
  )
}

export function Result({ execution, live }: Pick<OutcomeProps, "execution" | "live">): ReactNode {
  const { structured } = execution
  if (structured.status === "waiting_for_interaction") {
    const [first, ...others] = structured.interactions
    return (
      <div className="flex flex-col items-start gap-2">
        {structured.interactions.map(({ approvalId, message }) => (
          <p key={approvalId}>
            <Line>{message}</Line>
          </p>
        ))}
        <LinkButton
          to="/inbox"
          search={first === undefined || others.length > 0 ? { execution: execution.executionId } : { approval: first.approvalId }}
        >
          Answer in the inbox
        </LinkButton>
      </div>
    )
  }
  if (structured.status === "running")
    return live.words === "" ? <p className="text-secondary">It is still running.</p> : <Prose>{live.words}</Prose>
  const { error, usage, result } = structured
  return (
    <div className="flex flex-col gap-3">
      {error === undefined ? null : (
        <Prose className="tint-danger rounded-control p-2">
          {`${error.name}: ${error.message}${error.line === undefined ? "" : ` (line ${error.line})`}`}
        </Prose>
      )}
      {execution.program === "agent" && typeof result === "string" ? (
        <Prose>{result}</Prose>
      ) : error === undefined || result !== null ? (
        <Json value={result} label="Result" />
      ) : null}
      {error === undefined ? <WholeResult id={execution.executionId} result={result} /> : null}
      {usage === undefined ? null : (
        <Facts>
          <Fact name="Steps">{usage.steps}</Fact>
          <Fact name="Tokens">{`${usage.inputTokens.toLocaleString("en")} in, ${usage.outputTokens.toLocaleString("en")} out`}</Fact>
          {usage.costUsd === undefined ? null : <Fact name="Cost">{costText(usage.costUsd)}</Fact>}
        </Facts>
      )}
    </div>
  )
}

const pieceChars = 1_000_000

/** A long result is shown by its beginning; the whole is read in pieces and saved as a file. */
function WholeResult({ id, result }: { readonly id: string; readonly result: unknown }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  if (typeof result !== "object" || result === null || !("truncated" in result)) return null
  const save = async (): Promise<void> => {
    const pieces: string[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const piece = await client.executions.result(id, { offset, length: pieceChars })
      pieces.push(piece.text)
      offset = piece.nextOffset
    }
    const link = document.createElement("a")
    link.href = URL.createObjectURL(new Blob(pieces, { type: "application/json" }))
    link.download = `${id}.json`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  const start = (): void => {
    setBusy(true)
    void save()
      .catch(toastError)
      .finally(() => setBusy(false))
  }
  return (
    <Button isBusy={isBusy} onClick={start} className="self-start">
      Save the whole result
    </Button>
  )
}

export const Logs = ({ logs }: { readonly logs: readonly LogLine[] }): ReactNode =>
  logs.length === 0 ? (
    <p className="text-secondary">Nothing was logged.</p>
  ) : (
    <pre
      tabIndex={0}
      role="region"
      aria-label="Logs"
      className="max-h-96 overflow-auto rounded-control border border-line bg-surface p-2 font-mono text-sm break-words whitespace-pre-wrap"
    >
      {logs.map(({ level, text, tool }, at) => (
        <div key={at} className={`stranger ${level === "error" ? "text-danger" : level === "warn" ? "text-warn" : ""}`}>
          {safeLine(`${level}${tool === undefined ? "" : ` ${tool}`}`)}: {safeText(text)}
        </div>
      ))}
    </pre>
  )
