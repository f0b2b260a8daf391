// Names with their values, one below the other.
import type { ReactNode } from "react"

export const Facts = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <dl className="grid grid-cols-[72px_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1">{children}</dl>
)

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode => (
  <>
    <dt className="text-tertiary">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
)
