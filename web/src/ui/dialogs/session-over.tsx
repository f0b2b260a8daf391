// Says that the session has ended while a page was open, and leads to signing in again: what was typed in the page stays.
import type { ReactNode } from "react"

export const signInHref = (): string => `/signin?return=${encodeURIComponent(location.pathname + location.search)}`

export const SessionOverText = (): ReactNode => (
  <>
    Your session has ended.{" "}
    <a href={signInHref()} target="_blank" rel="noreferrer">
      Sign in again
    </a>{" "}
    in another tab: this page keeps what you typed, and goes on by itself.
  </>
)
