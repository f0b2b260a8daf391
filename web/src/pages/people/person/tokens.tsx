// What acts in a person's name: tokens of theirs and of their agents.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { TokenView, UserView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { usePeopleChange } from "../../../api/people.ts"
import { Badge } from "../../../ui/badge.tsx"
import { Button } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { Input } from "../../../ui/field.tsx"
import { ShownOnce } from "../../../ui/dialogs/shown-once.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { tokensQuery } from "../queries.ts"

export function PersonTokens({ person, missing }: { readonly person: UserView; readonly missing: string | null }): ReactNode {
  const tokens = useQuery(tokensQuery(person.id))
  if (tokens.error !== null) return <Failure error={tokens.error} onRetry={() => void tokens.refetch()} />
  if (tokens.data === undefined) return <Skeleton rows={2} />
  return (
    <>
      {tokens.data.length === 0 ? (
        <p className="text-secondary">No token.</p>
      ) : (
        <ul aria-label="Tokens" className="divide-y divide-line rounded-control border border-line">
          {tokens.data.map((token) => (
            <Token key={token.id} token={token} />
          ))}
        </ul>
      )}
      {person.service ? <NewToken user={person.id} reason={missing} /> : null}
    </>
  )
}

function Token({ token }: { readonly token: TokenView }): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const revoke = usePeopleChange(() => client.tokens.remove(token.id), {
    onDone: () => toast(`The token ${safeLine(token.name)} is revoked`),
    onError: toastError,
  })
  const { name, kind, client: program, createdAt, expiresAt, patterns } = token
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-center gap-2">
          <Line className="truncate">{name}</Line>
          <Badge tone={kind === "human" ? "warn" : "neutral"}>{kind}</Badge>
        </span>
        <span className="text-sm text-secondary">
          {program === null ? "" : `by consent to ${safeLine(program)}, `}
          made <Time at={createdAt} />
          {expiresAt === null ? "" : ", until "}
          {expiresAt === null ? null : <Time at={expiresAt} />}
        </span>
        {patterns === null ? null : <Mono className="truncate text-secondary">{patterns.join(" ")}</Mono>}
      </span>
      <Button onClick={() => setAsked(true)} aria-label={`Revoke the token ${safeLine(name)}`}>
        Revoke…
      </Button>
      {isAsked ? (
        <Confirm
          title={`Revoke ${safeLine(name)}?`}
          action="Revoke the token"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(undefined)}
          onClose={() => setAsked(false)}
        >
          Whatever uses it is refused from its next request on, and what runs with it is ended. This cannot be undone.
        </Confirm>
      ) : null}
    </li>
  )
}

function NewToken({ user, reason }: { readonly user: string; readonly reason: string | null }): ReactNode {
  const [name, setName] = useState("")
  const [made, setMade] = useState<string | null>(null)
  const create = usePeopleChange(() => client.tokens.create({ name, kind: "agent", user }), {
    onDone: ({ token }) => {
      setName("")
      setMade(token)
    },
    onError: toastError,
  })
  const why = reason ?? (name.trim() === "" ? "Name the token first" : null)
  return (
    <form
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (why === null && !create.isPending) create.mutate(undefined)
      }}
    >
      <Input
        aria-label="Name of a new token"
        placeholder="Name of a new token"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" isBusy={create.isPending} reason={why}>
        Make a token
      </Button>
      <ShownOnce
        title="Token"
        about="Copy it now: it is stored as a hash, and not shown again."
        copyLabel="Copy the token"
        text={made}
        onClose={() => setMade(null)}
      />
    </form>
  )
}
