// A short text beside what the pointer or the focus is on.
import type { ReactElement, ReactNode } from "react"
import { Tooltip as Radix } from "radix-ui"

export const Tooltip = ({ text, children }: { readonly text: string; readonly children: ReactElement }): ReactNode => (
  <Radix.Root delayDuration={300}>
    <Radix.Trigger asChild>{children}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        sideOffset={6}
        className="fade-in z-50 max-w-72 rounded-control border border-line bg-raised px-2 py-1 text-sm text-text shadow-lg"
      >
        {text}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

export const TooltipProvider = Radix.Provider
