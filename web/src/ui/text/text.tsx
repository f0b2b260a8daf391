// Text that strangers wrote: what is invisible or reorders is shown as an escape.
import type { ReactNode } from "react"
import { safeJson, safeLine, safeText } from "../../../../src/core/text/safe.ts"

export { safeJson, safeLine, safeText }

type StrangerProps = { readonly children: string; readonly className?: string }

/** On one line. */
export const Line = ({ children, className = "" }: StrangerProps): ReactNode => (
  <bdi className={`stranger ${className}`}>{safeLine(children)}</bdi>
)

/** Line breaks stay. */
export const Prose = ({ children, className = "" }: StrangerProps): ReactNode => (
  <div className={`stranger break-words whitespace-pre-wrap ${className}`}>{safeText(children)}</div>
)

export const Mono = ({ children, className = "" }: StrangerProps): ReactNode => (
  <bdi className={`stranger font-mono text-sm ${className}`}>{safeLine(children)}</bdi>
)
