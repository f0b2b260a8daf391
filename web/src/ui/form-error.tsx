// Why the API refused what a form sent.
import type { ReactNode } from "react"
import { messageOf } from "./states.tsx"
import { safeText } from "./text.tsx"

export const FormError = ({ error }: { readonly error: Error | null }): ReactNode =>
  error === null ? null : (
    <p role="alert" className="tint-danger stranger rounded-control px-2 py-1 break-words">
      {safeText(messageOf(error))}
    </p>
  )
