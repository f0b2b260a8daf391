// The browsers in which a person is signed in.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { SessionView } from "toolplane/client"
import { browserName } from "../../../../../src/core/text/browser-name.ts"
import { client } from "../../../api/client.ts"
import { usePeopleChange } from "../../../api/people.ts"
import { Button } from "../../../ui/button.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Line } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { sessionsQuery } from "../queries.ts"

export function PersonSessions({ user }: { readonly user: string }): ReactNode {
  const sessions = useQuery(sessionsQuery(user))
  if (sessions.error !== null) return <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />
  if (sessions.data === undefined) return <Skeleton rows={2} />
  if (sessions.data.length === 0) return <p className="text-secondary">Not signed in in any browser.</p>
  return (
    <ul aria-label="Sessions" className="divide-y divide-line rounded-control border border-line">
      {sessions.data.map((session) => (
        <Session key={session.id} session={session} />
      ))}
    </ul>
  )
}

function Session({ session }: { readonly session: SessionView }): ReactNode {
  const end = usePeopleChange(() => client.sessions.remove(session.id), {
    onDone: () => toast("The session is over"),
    onError: toastError,
  })
  const { userAgent, method, address, lastSeenAt, createdAt } = session
  const browser = browserName(userAgent ?? "Unknown browser")
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <span className="flex min-w-0 flex-1 flex-col">
        <Line className="truncate">{browser}</Line>
        <span className="text-sm text-secondary">
          by <Line>{method}</Line>
          {address === null ? "" : ` from ${placeOf(address)}`}, signed in <Time at={createdAt} />, used <Time at={lastSeenAt} />
        </span>
      </span>
      <Button isBusy={end.isPending} onClick={() => end.mutate(undefined)} aria-label={`End the session in ${browser}`}>
        End
      </Button>
    </li>
  )
}

/** The networks that hold 127.0.0.1 and ::1. */
const placeOf = (address: string): string => (/^(?:127\.0\.0\.0\/24|::\/48)$/.test(address) ? "this server's machine" : address)
