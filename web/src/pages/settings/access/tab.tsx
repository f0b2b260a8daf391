// The section Your access: where the person is signed in, and the tokens that act as them.
import type { ReactNode } from "react"
import { useState } from "react"
import { queryOptions, useQuery } from "@tanstack/react-query"
import type { TokenView } from "toolplane/client"
import { allPages } from "../../../api/all-pages.ts"
import { client } from "../../../api/client.ts"
import { meQuery } from "../../../api/query.ts"
import { Badge } from "../../../ui/badge.tsx"
import { Button, LinkButton } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Line, safeLine } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { PersonSessions } from "../../people/person/sessions.tsx"
import { useChange } from "../use-change.ts"
import { NewToken } from "./new-token.tsx"

const tokensQuery = (user: string) =>
  queryOptions({ queryKey: ["tokens", "list", user], queryFn: () => allPages((page) => client.tokens.list({ ...page, user })) })

export const AccessTab = (): ReactNode => (
  <div className="flex max-w-4xl flex-col gap-6">
    <Sessions />
    <Tokens />
  </div>
)

const row = "flex flex-wrap items-center justify-between gap-2 border-b border-line p-3 last:border-b-0"
const list = "flex flex-col rounded-card border border-line"

function Sessions(): ReactNode {
  const { data: me } = useQuery(meQuery)
  return (
    <section aria-labelledby="sessions" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="sessions" className="font-semibold">
          Where you are signed in
        </h2>
        <LinkButton to="/passkeys">Passkeys</LinkButton>
      </div>
      {me === undefined ? null : <PersonSessions user={me.id} />}
    </section>
  )
}

function Tokens(): ReactNode {
  const { data: me } = useQuery(meQuery)
  const { data: own, error, refetch } = useQuery({ ...tokensQuery(me?.id ?? ""), enabled: me !== undefined })
  const [asked, setAsked] = useState<TokenView | null>(null)
  const revoke = useChange((id: string) => client.tokens.remove(id), {
    onDone: () => {
      toast("The token is revoked")
      setAsked(null)
    },
    onError: toastError,
    touches: ["tokens"],
  })
  return (
    <section aria-labelledby="tokens" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="tokens" className="font-semibold">
          Tokens that act as you
        </h2>
        <div className="flex flex-wrap gap-2">
          <LinkButton to="/agents" search={{ tab: "tokens" }}>
            Tokens of agents
          </LinkButton>
          <NewToken />
        </div>
      </div>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && own === undefined ? <Skeleton rows={2} /> : null}
      {own?.length === 0 ? <p className="text-secondary">No token acts as you.</p> : null}
      <ul aria-label="Tokens" className={own === undefined || own.length === 0 ? "hidden" : list}>
        {own?.map((token) => (
          <li key={token.id} className={row}>
            <div className="min-w-0 flex-1 basis-60">
              <span className="flex flex-wrap items-center gap-2">
                <Line className="min-w-0 font-medium break-words">{token.name}</Line>
                <Badge>{token.kind}</Badge>
              </span>
              <div className="text-sm text-secondary">
                made <Time at={token.createdAt} />,{" "}
                {token.expiresAt === null ? (
                  "never expires"
                ) : (
                  <>
                    expires <Time at={token.expiresAt} />
                  </>
                )}
                {token.patterns === null ? null : <Line className="break-all">{`, only ${token.patterns.join(", ")}`}</Line>}
              </div>
            </div>
            <Button onClick={() => setAsked(token)} aria-label={`Revoke the token ${safeLine(token.name)}`}>
              Revoke…
            </Button>
          </li>
        ))}
      </ul>
      {asked === null ? null : (
        <Confirm
          title={`Revoke ${safeLine(asked.name)}?`}
          action="Revoke the token"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(asked.id)}
          onClose={() => setAsked(null)}
        >
          Whatever uses it, such as your command line, is refused from its next request on, and what runs with it is ended. This cannot be
          undone.
        </Confirm>
      )}
    </section>
  )
}
