// What is chosen in a picker: how much, each entry, and groups that can be kept as a pattern.
import type { KeyboardEvent, ReactNode } from "react"
import { useState } from "react"
import { useQueries } from "@tanstack/react-query"
import { X } from "lucide-react"
import { client } from "../../api/client.ts"
import { Button, IconButton } from "../button.tsx"
import { Field, Input } from "../field.tsx"
import { messageOf } from "../states.tsx"
import { Mono, safeLine } from "../text/text.tsx"
import { groupsOf, isPattern } from "./selection.ts"

type SelectedProps = {
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  readonly reason: string | null
}

/** More are counted. */
const shownMax = 200

const plural = (count: number, noun: string): string => `${count.toLocaleString("en")} ${count === 1 ? noun : `${noun}s`}`

export function Selected({ value, onChange, reason }: SelectedProps): ReactNode {
  const patterns = value.filter(isPattern)
  const groups = groupsOf(value)
  const asked = [...new Set([...patterns, ...groups.map(({ pattern }) => pattern)])]
  const previews = useQueries({
    queries: asked.map((pattern) => ({
      queryKey: ["tools", "matching", pattern],
      queryFn: () => client.roles.preview([pattern]),
      retry: false,
    })),
  })
  const matches = (pattern: string): string => {
    const { data, error } = previews[asked.indexOf(pattern)] ?? {}
    if (error != null) return messageOf(error)
    return data === undefined ? "counting…" : `${plural(data.count, "tool")} now`
  }
  return (
    <section aria-label="Selected tools" className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-semibold">
          Selected: {plural(value.length - patterns.length, "tool")}
          {patterns.length === 0 ? "" : ` and ${plural(patterns.length, "pattern")}`}
        </h3>
        <Button reason={reason ?? (value.length === 0 ? "Nothing is selected" : null)} onClick={() => onChange([])}>
          Clear all
        </Button>
      </div>
      {groups.map(({ pattern, entries }) => (
        <div key={pattern} className="flex flex-col items-start gap-1 rounded-control border border-line p-2">
          <span>
            <Mono>{pattern}</Mono> matches {matches(pattern)}, and tools to come.
          </span>
          <Button reason={reason} onClick={() => onChange([...value.filter((entry) => !entries.includes(entry)), pattern])}>
            Keep {plural(entries.length, "tool")} as this pattern
          </Button>
        </div>
      ))}
      <ul aria-label="Selected" className="flex max-h-64 flex-col overflow-y-auto" tabIndex={0}>
        {value.slice(0, shownMax).map((entry) => (
          <li key={entry} className="flex items-center justify-between gap-2 border-b border-line">
            <span className="min-w-0">
              <Mono className="break-all">{entry}</Mono>
              {isPattern(entry) ? <span className="block text-sm text-secondary">{safeLine(matches(entry))}</span> : null}
            </span>
            <IconButton
              label={`Remove ${safeLine(entry)}`}
              reason={reason}
              onClick={() => onChange(value.filter((other) => other !== entry))}
            >
              <X size={14} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      {value.length > shownMax ? <p className="text-secondary">And {(value.length - shownMax).toLocaleString("en")} more.</p> : null}
      <AddPattern reason={reason} onAdd={(pattern) => onChange([...new Set([...value, pattern])])} />
    </section>
  )
}

function AddPattern({ reason, onAdd }: { readonly reason: string | null; readonly onAdd: (pattern: string) => void }): ReactNode {
  const [text, setText] = useState("")
  const [problem, setProblem] = useState<string | null>(null)
  const add = async (): Promise<void> => {
    const pattern = text.trim()
    try {
      await client.roles.preview([pattern])
      onAdd(pattern)
      setText("")
      setProblem(null)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  const missing = reason ?? (text.trim() === "" ? "Write a pattern first" : null)
  // Not a form: a picker is a field of one.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return
    event.preventDefault()
    if (missing === null) void add()
  }
  return (
    <div className="flex items-start gap-2">
      <div className="flex-1">
        <Field label="Pattern" hint="github.issues.** takes in every tool below github.issues." error={problem}>
          {(ids) => (
            <Input {...ids} value={text} onKeyDown={onKeyDown} onChange={(event) => setText(event.target.value)} className="font-mono" />
          )}
        </Field>
      </div>
      <Button className="mt-6" reason={missing} onClick={() => void add()}>
        Add
      </Button>
    </div>
  )
}
