// A call of one tool: its form, and the same arguments as JSON.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { ToolSchemaView } from "toolplane/client"
import { readForm } from "../../../../../src/core/call/form.ts"
import { Button } from "../../../ui/button.tsx"
import { Field, TextArea } from "../../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx"
import { Mono, safeText } from "../../../ui/text/text.tsx"
import { QuestionForm } from "../../inbox/form.tsx"
import type { Problems } from "../../inbox/typed.ts"
import { NoTool } from "../../registry/no-tool.tsx"
import { sampleOf } from "../../registry/json-text.ts"
import { schemaQuery } from "../../registry/queries.ts"
import { argsOf, readArgs, typedOf } from "./args.ts"
import { ToolDialog } from "./tool-dialog.tsx"

type FormTabProps = {
  readonly tool: string | undefined
  /** The arguments as JSON; null until somebody has written some. */
  readonly text: string | null
  readonly onText: (text: string) => void
  readonly onTool: (path: string) => void
  readonly onCode: () => void
}

export default function FormTab({ tool, text, onText, onTool, onCode }: FormTabProps): ReactNode {
  const [isChoosing, setChoosing] = useState(false)
  const schema = useQuery({ ...schemaQuery(tool ?? ""), enabled: tool !== undefined, retry: false })
  const first = schema.data
  useEffect(() => {
    if (text === null && first != null) onText(JSON.stringify(sampleOf(first.inputSchema), null, 2))
  }, [text, first, onText])
  const choose = (
    <Button kind={tool === undefined ? "primary" : "secondary"} onClick={() => setChoosing(true)}>
      {tool === undefined ? "Choose a tool" : "Another tool"}
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      <ToolDialog
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        onChoose={(path) => {
          setChoosing(false)
          onTool(path)
        }}
      />
      {tool === undefined ? (
        <Empty title="Call one tool" action={choose}>
          Choose a tool, and fill in its arguments in a form or as JSON.
        </Empty>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <Mono className="min-w-0 flex-1 break-all">{tool}</Mono>
            {choose}
            <Button onClick={onCode}>Open as code</Button>
          </div>
          {schema.error !== null ? (
            <Failure error={schema.error} onRetry={() => void schema.refetch()} />
          ) : schema.data === null ? (
            <NoTool />
          ) : schema.data === undefined || text === null ? (
            <Skeleton />
          ) : (
            <Arguments key={tool} view={schema.data} text={text} onText={onText} />
          )}
        </>
      )}
    </div>
  )
}

type ArgumentsProps = { readonly view: ToolSchemaView; readonly text: string; readonly onText: (text: string) => void }

function Arguments({ view, text, onText }: ArgumentsProps): ReactNode {
  const { inputSchema: schema, inputTypeScript } = view
  const read = readArgs(text)
  const [kept, setKept] = useState(() => ("args" in read ? read.args : {}))
  const [typed, setTyped] = useState(() => typedOf(schema, kept))
  const [problems, setProblems] = useState<Problems>({})
  const fields = readForm(schema)
  const onForm = (next: typeof typed): void => {
    const made = argsOf(schema, next, kept)
    setTyped(next)
    setKept(made.args)
    setProblems(made.problems)
    onText(JSON.stringify(made.args, null, 2))
  }
  const onJson = (next: string): void => {
    onText(next)
    const now = readArgs(next)
    if ("problem" in now) return
    setKept(now.args)
    setTyped(typedOf(schema, now.args))
    setProblems({})
  }
  return (
    <div className="grid gap-4 min-[1500px]:grid-cols-2">
      <section aria-label="Form" className="min-w-0">
        {fields === null ? (
          <p className="text-secondary">This tool has no form: write its arguments as JSON.</p>
        ) : fields.length === 0 ? (
          <p className="text-secondary">This tool takes no arguments.</p>
        ) : (
          <QuestionForm schema={schema} typed={typed} problems={problems} onType={onForm} />
        )}
      </section>
      <section aria-label="JSON" className="flex min-w-0 flex-col gap-2">
        <Field label="Arguments as JSON" error={"problem" in read ? read.problem : null}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={Math.min(20, Math.max(6, text.split("\n").length + 1))}
              spellCheck={false}
              value={text}
              onChange={({ target }) => onJson(target.value)}
              className="font-mono text-sm"
            />
          )}
        </Field>
        <details>
          <summary className="cursor-pointer text-secondary">Type of the arguments</summary>
          <pre
            tabIndex={0}
            role="region"
            aria-label="Type of the arguments"
            className="stranger mt-1 max-h-60 overflow-auto rounded-control border border-line bg-surface p-2 font-mono text-sm break-words whitespace-pre-wrap"
          >
            {safeText(inputTypeScript)}
          </pre>
        </details>
      </section>
    </div>
  )
}
