// Why a person can or cannot call a tool: the stages of a call, up to the first that stops it. Nothing is called.
import type { ReactNode } from "react"
import { useId, useState } from "react"
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { ExecutorError } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { meQuery } from "../../../api/query.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { useFilters } from "../../../app/search.ts"
import { Button } from "../../../ui/button.tsx"
import { Field, Input, TextArea } from "../../../ui/field.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { pathEntryOf } from "../../../ui/tool-picker/selection.ts"
import { useSettled } from "../../../ui/lists/use-settled.ts"
import { parseObject } from "../../registry/json-text.ts"
import { PersonSignIns } from "../person/sign-ins.tsx"
import type { PeopleFilters } from "../queries.ts"
import { Explanation } from "./explanation.tsx"

export function WhyTab(): ReactNode {
  const [{ user = "", tool = "" }, set] = useFilters<keyof PeopleFilters>()
  const { data: me } = useQuery(meQuery)
  const missing = useMissingRight("admin")
  // Others than admins ask about themselves.
  const who = missing === null ? user : (me?.id ?? "")
  const [text, setText] = useState("")
  const [asked, setAsked] = useState({ user: who, tool, text: "" })
  const explained = { ...asked, user: asked.user === "" ? who : asked.user }
  const isUnknown = isNotFound(useQuery(whyQuery(explained)).error)
  const parsed = text.trim() === "" ? null : parseObject(text)
  const problem =
    who.trim() === ""
      ? "Name a person first"
      : tool.trim() === ""
        ? "Name a tool first"
        : parsed?.ok === false
          ? "The arguments are not a JSON object"
          : null
  return (
    <div className="grid gap-6 min-[1100px]:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (problem === null) setAsked({ user: who, tool: tool.trim(), text })
        }}
      >
        <Person
          value={who}
          isFixed={missing !== null}
          error={isUnknown && who === explained.user ? `There is no person '${safeLine(who)}'` : null}
          onChange={(value) => set({ user: value })}
        />
        <Tool value={tool} onChange={(value) => set({ tool: value })} />
        <Field
          label="Arguments"
          hint="JSON, where rules look at them. They stay out of this page's address."
          error={parsed?.ok === false ? parsed.problem : null}
        >
          {(ids) => (
            <TextArea
              {...ids}
              rows={4}
              value={text}
              placeholder='{"amount": 50}'
              onChange={({ target }) => setText(target.value)}
              className="font-mono text-sm"
            />
          )}
        </Field>
        <div>
          <Button kind="primary" type="submit" reason={problem}>
            Explain
          </Button>
        </div>
        {missing === null ? null : <p className="text-sm text-tertiary">Admins ask about everybody, others about themselves.</p>}
      </form>
      <Answer {...explained} canReadClaims={missing === null} />
    </div>
  )
}

type Asked = { readonly user: string; readonly tool: string; readonly text: string }

const whyQuery = ({ user, tool, text }: Asked) =>
  queryOptions({
    queryKey: ["people", "why", user, tool, text],
    queryFn: () => {
      const parsed = text.trim() === "" ? null : parseObject(text)
      return client.access.explain({ user, address: tool, ...(parsed?.ok === true ? { args: parsed.value } : {}) })
    },
    enabled: user !== "" && tool !== "",
    staleTime: 0,
  })

/** Only the person can be one that is not there: what stands at their field. */
const isNotFound = (error: unknown): boolean => error instanceof ExecutorError && error.code === "not_found"

function Answer({ canReadClaims, ...asked }: Asked & { readonly canReadClaims: boolean }): ReactNode {
  const { user, tool } = asked
  const explanation = useQuery(whyQuery(asked))
  if (user === "" || tool === "")
    return <p className="text-secondary">Name a person and a tool: each stage of a call is then told here, with what would change it.</p>
  if (isNotFound(explanation.error)) return null
  if (explanation.error !== null) return <Failure error={explanation.error} onRetry={() => void explanation.refetch()} />
  if (explanation.data === undefined) return <Skeleton rows={5} />
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Explanation explanation={explanation.data} />
      {canReadClaims ? (
        <section aria-label="Last sign-in at a provider" className="flex flex-col gap-2">
          <h2 className="font-semibold">Last sign-in at a provider</h2>
          <PersonSignIns user={explanation.data.user} />
        </section>
      ) : null}
    </div>
  )
}

const suggestionsMax = 20

type PersonProps = TypedNameProps & { readonly isFixed: boolean; readonly error: string | null }

type TypedNameProps = { readonly value: string; readonly onChange: (text: string | undefined) => void }

function Person({ value, isFixed, error, onChange }: PersonProps): ReactNode {
  const list = useId()
  const query = useSettled(value.trim())
  const found = useQuery({
    queryKey: ["users", "suggested", query],
    queryFn: () => client.users.list({ ...(query === "" ? {} : { query }), limit: suggestionsMax }),
    placeholderData: keepPreviousData,
    enabled: !isFixed,
  })
  return (
    <Field label="Person" hint="The id of a person or service account." error={error}>
      {(ids) => (
        <>
          <Input
            {...ids}
            list={list}
            autoComplete="off"
            spellCheck={false}
            value={value}
            disabled={isFixed}
            onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
          />
          <datalist id={list}>
            {(found.data?.items ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {safeLine(name)}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

function Tool({ value, onChange }: TypedNameProps): ReactNode {
  const list = useId()
  const query = useSettled(value.trim())
  const found = useQuery({
    queryKey: ["tools", "suggested", query],
    queryFn: () => client.tools.page({ query, includeBlocked: true }, { limit: suggestionsMax }),
    placeholderData: keepPreviousData,
    enabled: query !== "",
  })
  return (
    <Field label="Tool" hint="Its path, such as github.issues.create.">
      {(ids) => (
        <>
          <Input
            {...ids}
            list={list}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
            className="font-mono text-sm"
          />
          <datalist id={list}>
            {(found.data?.items ?? []).map((one) => (
              <option key={one.address} value={pathEntryOf(one)} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
