// What is shown instead of a page that failed: what happened, and a way to try again that works.
import type { ReactNode } from "react"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { Failure, messageOf } from "../ui/states.tsx"

/** As browsers say that a part of the console is not there, such as after an upgrade of the server. */
const isPartMissing = (error: unknown): boolean =>
  /dynamically imported module|importing a module script|unable to preload/i.test(messageOf(error))

const missing = new Error("A part of the console could not be loaded. The server may have been upgraded, or may be out of reach.")

type PageErrorProps = { readonly error: unknown; readonly reset: () => void }

export function PageError({ error, reset }: PageErrorProps): ReactNode {
  const router = useRouter()
  const queries = useQueryClient()
  // A browser keeps what failed to load until the page is loaded again.
  if (isPartMissing(error)) return <Failure error={missing} onRetry={() => location.reload()} />
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
