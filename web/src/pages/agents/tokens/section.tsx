// The tokens of agents that run elsewhere, and the consents that people gave to their clients.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { TokenCreated, TokenView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { useFilters } from "../../../app/search.ts"
import { Button } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import type { AgentsFilters } from "../page.tsx"
import { CreatedDialog } from "./created-dialog.tsx"
import { NewToken } from "./new-token.tsx"
import { agentTokensQuery } from "./queries.ts"
import { TokenRow } from "./token-row.tsx"

export function TokensSection(): ReactNode {
  const [{ token }, set] = useFilters<AgentsFilters>()
  const tokens = useQuery(agentTokensQuery)
  const [made, setMade] = useState<TokenCreated | null>(null)
  const [revoked, setRevoked] = useState<TokenView | null>(null)
  const revoke = useRevoke(() => setRevoked(null))
  const create = (): void => set({ token: "new" }, { isStep: true })
  return (
    <>
      {tokens.error !== null ? (
        <Failure error={tokens.error} onRetry={() => void tokens.refetch()} />
      ) : tokens.data === undefined ? (
        <Skeleton />
      ) : tokens.data.length === 0 ? (
        <Empty
          title="No agent has a way in yet"
          action={
            <Button kind="primary" onClick={create}>
              New token
            </Button>
          }
          command="executor tokens create --agent"
        >
          An agent that runs elsewhere, such as an MCP client, calls tools with a token of its own. It never approves or administers.
        </Empty>
      ) : (
        <ul aria-label="Tokens" className="flex flex-col rounded-card border border-line">
          {tokens.data.map((one) => (
            <TokenRow key={one.id} token={one} onRevoke={() => setRevoked(one)} />
          ))}
        </ul>
      )}
      <NewToken
        isOpen={token === "new"}
        onClose={() => set({ token: undefined })}
        onMade={(created) => {
          set({ token: undefined })
          setMade(created)
        }}
      />
      <CreatedDialog token={made?.token ?? null} onClose={() => setMade(null)} />
      {revoked === null ? null : (
        <Confirm
          title={`Revoke ${safeLine(revoked.name)}?`}
          action={revoked.client === null ? "Revoke the token" : "End the consent"}
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(revoked)}
          onClose={() => setRevoked(null)}
        >
          Its agent is refused from the next request on. What waits for an approval of it can no longer go on.
        </Confirm>
      )}
    </>
  )
}

function useRevoke(done: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: TokenView) => client.tokens.remove(id),
    onSuccess: async (_nothing, { name }) => {
      toast(`${name} is revoked`)
      done()
      await queries.invalidateQueries({ queryKey: ["tokens"] })
    },
    onError: toastError,
  })
}
