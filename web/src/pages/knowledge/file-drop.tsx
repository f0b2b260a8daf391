// Where files are dropped or chosen, and what became of each.
import type { ReactNode } from "react"
import { useRef, useState } from "react"
import { FileText, Upload as UploadIcon } from "lucide-react"
import type { PipelineView } from "toolplane/client"
import { Status } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Line, safeText } from "../../ui/text/text.tsx"
import { counted } from "./queries.ts"
import { useUploads } from "./upload.ts"
import type { Upload } from "./upload.ts"

type DropProps = { readonly pipeline: PipelineView; readonly reason: string | null; readonly onText: () => void }

export function FileDrop({ pipeline, reason, onText }: DropProps): ReactNode {
  const { uploads, add, retry, clear } = useUploads(pipeline.id)
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const done = uploads.filter(({ state }) => state.step === "done" || state.step === "failed").length
  return (
    <section aria-label="Add documents" className="flex flex-col gap-2">
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(reason === null)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          if (reason === null) add(event.dataTransfer.files)
        }}
        className={`flex flex-col items-center gap-2 rounded-card border border-dashed p-4 text-center ${isOver ? "border-accent bg-hover" : "border-control"}`}
      >
        <p className="text-secondary">Drop files here: text, Markdown or HTML. One of the same name is replaced.</p>
        <span className="flex flex-wrap justify-center gap-2">
          <Button reason={reason} onClick={() => input.current?.click()}>
            <UploadIcon size={14} aria-hidden="true" /> Choose files
          </Button>
          <Button reason={reason} onClick={onText}>
            <FileText size={14} aria-hidden="true" /> Add a text
          </Button>
        </span>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files"
          onChange={({ target }) => {
            add(target.files ?? [])
            target.value = ""
          }}
        />
      </div>
      {uploads.length === 0 ? null : (
        <>
          <div className="flex items-center justify-between gap-2">
            <span role="status" className="text-secondary">
              {done === uploads.length ? `${counted(done, "file")} handled` : `${done} of ${counted(uploads.length, "file")}`}
            </span>
            {done === 0 ? null : (
              <Button kind="quiet" onClick={clear}>
                Clear
              </Button>
            )}
          </div>
          <ul aria-label="Files" className="flex max-h-60 flex-col overflow-y-auto rounded-card border border-line">
            {uploads.map((upload) => (
              <UploadRow key={upload.id} upload={upload} onRetry={() => retry(upload)} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const UploadRow = ({ upload: { file, state }, onRetry }: { readonly upload: Upload; readonly onRetry: () => void }): ReactNode => (
  <li className="flex flex-col gap-1 border-b border-line px-3 py-1.5 last:border-b-0">
    <span className="flex min-w-0 items-center gap-2">
      <Line className="min-w-0 flex-1 truncate">{file.name}</Line>
      {state.step === "waits" ? <Status tone="neutral">Waits</Status> : null}
      {state.step === "sending" ? <Status tone="info">Sending</Status> : null}
      {state.step === "done" ? (
        <Status tone="ok">
          {outcomes[state.added.outcome]}
          {state.added.outcome === "unchanged" ? "" : `, ${counted(state.added.chunks, "chunk")}`}
        </Status>
      ) : null}
      {state.step === "failed" ? <Status tone="danger">Failed</Status> : null}
      {state.step === "failed" ? <Button onClick={onRetry}>Try again</Button> : null}
    </span>
    {state.step === "failed" ? <span className="stranger text-sm break-words text-danger">{safeText(state.message)}</span> : null}
  </li>
)

const outcomes = { created: "Added", updated: "Replaced", unchanged: "Unchanged" } as const
