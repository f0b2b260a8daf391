// Why the API refused what a form sent.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { isSignedOut, meQuery } from "../api/query.ts"
import { SessionOverText } from "./dialogs/session-over.tsx"
import { messageOf } from "./states.tsx"
import { safeText } from "./text/text.tsx"

export function FormError({ error }: { readonly error: Error | null }): ReactNode {
  const isOver = isSignedOut(useQuery(meQuery).error)
  // The frame says it as well, but a dialog lies over it. Once somebody has signed in again there is nothing left to say.
  if (error === null || (isSignedOut(error) && !isOver)) return null
  return (
    <p role="alert" className="tint-danger stranger rounded-control px-2 py-1 break-words">
      {isSignedOut(error) ? <SessionOverText /> : safeText(messageOf(error))}
    </p>
  )
}
