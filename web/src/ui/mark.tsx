// The mark of Executor.
import type { ReactNode } from "react"

export const Mark = (): ReactNode => (
  <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#4453d6" />
    <path d="M9 10l7 6-7 6M18 22h6" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
)
