// What the rules say about one call, without making it.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { PolicyExplanation, PolicyRule } from "toolplane/client"
import { client } from "../../api/client.ts"
import { Button } from "../../ui/button.tsx"
import { Field, Input, TextArea } from "../../ui/field.tsx"
import { Failure } from "../../ui/states.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { parseObject } from "../registry/json-text.ts"
import { ActionBadge, Limits, shortPattern } from "./rule-text.tsx"

type TryCallProps = { readonly address: string; readonly onAddress: (address: string | undefined) => void }

export function TryCall({ address, onAddress }: TryCallProps): ReactNode {
  const [text, setText] = useState("")
  const parsed = text.trim() === "" ? null : parseObject(text)
  const explain = useMutation({
    mutationFn: () => client.policies.explain({ address: address.trim(), ...(parsed?.ok === true ? { args: parsed.value } : {}) }),
  })
  const problem = address.trim() === "" ? "Name a tool first" : parsed?.ok === false ? "The arguments are not a JSON object" : null
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <p className="text-secondary">What the rules decide about a call of yours. Nothing is called.</p>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (problem === null) explain.mutate()
        }}
      >
        <Field label="Tool" hint="Its path, such as github.issues.create.">
          {(ids) => (
            <Input
              {...ids}
              value={address}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onAddress(event.target.value === "" ? undefined : event.target.value)}
              className="font-mono text-sm"
            />
          )}
        </Field>
        <Field
          label="Arguments"
          hint="JSON. Without them, the verdict is the one that lists of tools show."
          error={parsed?.ok === false ? parsed.problem : null}
        >
          {(ids) => (
            <TextArea
              {...ids}
              rows={4}
              value={text}
              placeholder='{"amount": 50}'
              onChange={(event) => setText(event.target.value)}
              className="font-mono text-sm"
            />
          )}
        </Field>
        <div>
          <Button kind="primary" type="submit" isBusy={explain.isPending} reason={problem}>
            Ask the rules
          </Button>
        </div>
      </form>
      {explain.error === null ? null : <Failure error={explain.error} />}
      {explain.data === undefined ? null : <Verdict answer={explain.data} />}
    </div>
  )
}

const Verdict = ({ answer }: { readonly answer: PolicyExplanation }): ReactNode => (
  <section aria-label="Verdict" className="flex flex-col gap-3 rounded-card border border-line p-3">
    <div className="flex flex-wrap items-center gap-2">
      <ActionBadge action={answer.verdict} />
      <Line>{answer.message}</Line>
    </div>
    {answer.conditional ? <p className="text-secondary">Arguments can change this: give some to see.</p> : null}
    {answer.rule === null ? null : <RuleLine rule={answer.rule} />}
    {answer.beaten.length === 0 ? null : (
      <div>
        <h3 className="mb-1 font-semibold">Rules that fit too, and did not decide</h3>
        <ul className="flex flex-col gap-2">
          {answer.beaten.map(({ rule, message }) => (
            <li key={rule.id}>
              <RuleLine rule={rule} />
              <p className="text-sm text-secondary">
                <Line>{message}</Line>
              </p>
            </li>
          ))}
        </ul>
      </div>
    )}
  </section>
)

const RuleLine = ({ rule }: { readonly rule: PolicyRule }): ReactNode => (
  <div className="flex flex-wrap items-center gap-2">
    <ActionBadge action={rule.action} />
    <Mono className="break-all">{shortPattern(rule.pattern)}</Mono>
    <span className="text-sm text-tertiary">{rule.owner === "org" ? "for everybody" : "yours"}</span>
    <Limits rule={rule} />
  </div>
)
