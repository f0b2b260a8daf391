// What is shown instead of a page that failed: what happened, and a way to try again that works.
import type { ReactNode } from "react"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { Failure } from "../ui/states.tsx"
import { toast } from "../ui/toast.tsx"
import { PartMissing, isPartMissing, isServerThere } from "./missing-part.ts"

/** While the server is away, what is on the screen is more than the browser would show. */
async function loadAgain(): Promise<void> {
  if (await isServerThere()) location.reload()
  else toast("The server does not answer. If Executor has stopped, start it again.")
}

type PageErrorProps = { readonly error: unknown; readonly reset: () => void }

export function PageError({ error, reset }: PageErrorProps): ReactNode {
  const router = useRouter()
  const queries = useQueryClient()
  // A browser keeps what failed to load until the page is loaded again.
  if (isPartMissing(error)) return <Failure error={new PartMissing()} onRetry={() => void loadAgain()} />
  return (
    <Failure
      error={error}
      onRetry={() => {
        // What was read may be why it failed. Who is signed in is the frame's, which did not.
        void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" })
        reset()
        void router.invalidate()
      }}
    />
  )
}
