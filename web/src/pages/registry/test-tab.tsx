// A call of a tool's working copy, as it would run, without publishing it.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Status } from "../../ui/badge.tsx"
import { Button, LinkButton } from "../../ui/button.tsx"
import { withoutRoot } from "../../../../src/core/address.ts"
import { Field, TextArea } from "../../ui/field.tsx"
import { Json } from "../../ui/text/json.tsx"
import { Command, Failure } from "../../ui/states.tsx"
import { Prose, safeText } from "../../ui/text/text.tsx"
import type { TabProps } from "./overview-tab.tsx"
import { parseObject, sampleOf } from "./json-text.ts"

export function TestTab({ tool, made }: TabProps): ReactNode {
  if (made === undefined)
    return (
      <div className="flex flex-col items-start gap-3 text-secondary">
        <p>Call it in the playground, by a form or by code.</p>
        <LinkButton
          to="/playground"
          search={{ tab: "form", tool: withoutRoot(tool.address) }}
          reason={tool.policy === "block" ? "A rule blocks its calls" : null}
        >
          Open in playground
        </LinkButton>
        <p>Or from a terminal; its help lists the arguments.</p>
        <Command text={`executor call ${withoutRoot(tool.address)} --help`} />
      </div>
    )
  return <TestCall key={made.id} id={made.id} input={made.schema.input} />
}

function TestCall({ id, input }: { readonly id: string; readonly input: Readonly<Record<string, unknown>> }): ReactNode {
  const [text, setText] = useState(() => JSON.stringify(sampleOf(input), null, 2))
  const missing = useMissingRight("registry.write")
  const parsed = parseObject(text)
  const test = useMutation({ mutationFn: (args: Readonly<Record<string, unknown>>) => client.registry.test(id, args) })
  return (
    <div className="flex flex-col gap-3">
      <p className="text-secondary">Calls the working copy. Rules and approvals apply as for every call.</p>
      <Field label="Arguments" hint="JSON that fits the input schema." error={parsed.ok ? null : parsed.problem}>
        {(ids) => (
          <TextArea {...ids} rows={6} value={text} onChange={(event) => setText(event.target.value)} className="font-mono text-sm" />
        )}
      </Field>
      <div>
        <Button
          kind="primary"
          isBusy={test.isPending}
          reason={missing ?? (parsed.ok ? null : "The arguments are not a JSON object")}
          onClick={() => (parsed.ok ? test.mutate(parsed.value) : undefined)}
        >
          Run the test
        </Button>
      </div>
      {test.error === null ? null : <Failure error={test.error} />}
      {test.data === undefined ? null : <Answer answer={test.data} />}
    </div>
  )
}

function Answer({ answer }: { readonly answer: Awaited<ReturnType<typeof client.registry.test>> }): ReactNode {
  return (
    <section aria-label="Answer" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {answer.ok ? <Status tone="ok">It answered</Status> : <Status tone="danger">{safeText(answer.error.code)}</Status>}
        <Link to="/executions/$id" params={{ id: answer.executionId }}>
          Open the execution
        </Link>
      </div>
      {answer.ok ? <Json value={answer.data} label="Answer of the test" /> : <Prose>{answer.error.message}</Prose>}
      {!answer.ok && answer.error.code === "approval_required" ? (
        <p>
          <Link to="/inbox">Answer it in the inbox</Link>, then run the test again.
        </p>
      ) : null}
      {answer.logs.length === 0 ? null : <Json value={answer.logs} label="Log lines" />}
    </section>
  )
}
