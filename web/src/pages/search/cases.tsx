// The cases of an evaluation set: each a request, with the tools that answer it.
import type { ReactNode } from "react"
import { useState } from "react"
import { X } from "lucide-react"
import type { EvaluationCase } from "toolplane/client"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Field, Input } from "../../ui/field.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import type { Sets } from "./use-sets.ts"

const casesShownMax = 200

export function Cases({ sets }: { readonly sets: Sets }): ReactNode {
  const { open } = sets
  const remove = (gone: EvaluationCase): void => sets.change({ name: open.name, cases: open.cases.filter((one) => one !== gone) })
  return (
    <section aria-label="Cases" className="flex flex-col gap-3">
      <AddCase onAdd={(query, path) => sets.addCase(query, [path])} />
      {open.cases.length === 0 ? null : (
        <ul aria-label="Cases of the set" className="divide-y divide-line rounded-card border border-line">
          {open.cases.slice(0, casesShownMax).map((one) => (
            <li key={one.query} className="flex items-start gap-3 px-3 py-2">
              <div className="flex min-w-0 flex-1 flex-col gap-0.5">
                <span className="break-words">
                  <Line>{one.query}</Line>
                </span>
                {Object.entries(one.tools).map(([path, grade]) => (
                  <span key={path} className="flex flex-wrap items-center gap-2 break-all">
                    <Mono className="text-secondary">{path}</Mono>
                    {grade < 2 ? <Badge>acceptable</Badge> : null}
                  </span>
                ))}
              </div>
              <Button kind="quiet" aria-label={`Remove: ${safeLine(one.query)}`} onClick={() => remove(one)}>
                <X size={14} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {open.cases.length > casesShownMax ? (
        <p className="text-sm text-tertiary">
          The first {casesShownMax} of {open.cases.length.toLocaleString("en")} cases; all of them are run.
        </p>
      ) : null}
    </section>
  )
}

function AddCase({ onAdd }: { readonly onAdd: (query: string, path: string) => void }): ReactNode {
  const [query, setQuery] = useState("")
  const [path, setPath] = useState("")
  const reason = query.trim() === "" ? "Write the request first" : path.trim() === "" ? "Name the tool that answers it" : null
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason !== null) return
        onAdd(query.trim(), path.trim())
        setQuery("")
        setPath("")
      }}
    >
      <div className="min-w-0 flex-1 basis-56">
        <Field label="Request">
          {(ids) => (
            <Input {...ids} value={query} maxLength={1000} className="text-sm" onChange={(event) => setQuery(event.target.value)} />
          )}
        </Field>
      </div>
      <div className="min-w-0 flex-1 basis-56">
        <Field label="Right tool">
          {(ids) => (
            <Input
              {...ids}
              value={path}
              spellCheck={false}
              placeholder="github.issues.create"
              onChange={(event) => setPath(event.target.value)}
              className="font-mono text-sm"
            />
          )}
        </Field>
      </div>
      <div className="pb-1">
        <Button type="submit" reason={reason}>
          Add the case
        </Button>
      </div>
    </form>
  )
}
