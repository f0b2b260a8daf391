// A question to a pipeline and what it answers: the passages that agents would get, best first.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { PipelineAnswer, PipelineView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Input, Select } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, Prose } from "../../ui/text/text.tsx"

type TabProps = { readonly pipeline: PipelineView; readonly ask: string | undefined; readonly onAsk: (ask: string | undefined) => void }

const counts = [3, 5, 10, 20] as const

export function QueryTab({ pipeline, ask, onAsk }: TabProps): ReactNode {
  const [text, setText] = useState(ask ?? "")
  const [topK, setTopK] = useState(5)
  const { id, documents } = pipeline
  const { data, error, isFetching, refetch } = useQuery({
    // Not below "pipelines": a query is a call with its line in the audit, and is repeated when somebody asks for it.
    queryKey: ["pipeline-query", id, ask, topK],
    queryFn: ({ signal }) => client.pipelines.query(id, { query: ask ?? "", topK }, { signal }),
    enabled: ask !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const next = text.trim()
    if (next === "") return
    if (next === ask) void refetch()
    else onAsk(next)
  }
  return (
    <div className="flex flex-col gap-3">
      <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
        <Input
          aria-label="Question"
          placeholder="Ask in plain words…"
          value={text}
          onChange={({ target: { value } }) => setText(value)}
          className="!w-auto min-w-40 flex-1"
        />
        <Select aria-label="Results" value={topK} onChange={({ target: { value } }) => setTopK(Number(value))} className="!w-auto">
          {counts.map((count) => (
            <option key={count} value={count}>
              {count} results
            </option>
          ))}
        </Select>
        <Button kind="primary" type="submit" isBusy={isFetching} reason={text.trim() === "" ? "Write a question first" : null}>
          Ask
        </Button>
      </form>
      {ask === undefined ? (
        <p className="text-secondary">
          {documents === 0 ? "Add documents first: there is nothing to find yet." : "Shows the passages that an agent would get for it."}
        </p>
      ) : error !== null ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <Answer answer={data} />
      )}
    </div>
  )
}

const degradedText: Record<NonNullable<PipelineAnswer["degraded"]>, string> = {
  embeddings_unavailable:
    "Only words were compared: the embedding endpoint failed. Test its model provider with executor models test, then ask again.",
  embeddings_pending: "Some chunks have no vector yet, so that only words find them. Ask again once the index is ready.",
}

const Answer = ({ answer: { results, degraded } }: { readonly answer: PipelineAnswer }): ReactNode => (
  <>
    {degraded === undefined ? null : (
      <p role="status" className="tint-warn rounded-control px-3 py-2">
        <span className="font-medium">Degraded ({degraded}).</span> {degradedText[degraded]}
      </p>
    )}
    {results.length === 0 ? (
      <Empty title="No passage fits this question">Use words that the documents use, or add a document that answers it.</Empty>
    ) : (
      <ol aria-label="Results" className="flex flex-col gap-3">
        {results.map(({ text, score, documentId, title, source, position }) => (
          <li key={`${documentId} ${position}`} className="flex flex-col gap-1 rounded-card border border-line p-3">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Line className="min-w-0 font-medium break-words">{title}</Line>
              <Badge title="Comparable within one answer only">score {Number(score.toPrecision(3))}</Badge>
              <Badge>chunk {position + 1}</Badge>
            </span>
            {source === null ? null : <Mono className="break-all text-tertiary">{source}</Mono>}
            <Prose className="max-h-72 overflow-y-auto">{text}</Prose>
          </li>
        ))}
      </ol>
    )}
  </>
)
