// A menu behind a button.
import type { ReactElement, ReactNode } from "react"
import { DropdownMenu as Radix } from "radix-ui"

export const Menu = ({ trigger, children }: { readonly trigger: ReactElement; readonly children: ReactNode }): ReactNode => (
  <Radix.Root>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content align="end" sideOffset={4} className="fade-in z-50 min-w-40 rounded-card border border-line bg-raised p-1 shadow-lg">
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

type ItemProps = {
  readonly onSelect: () => void
  readonly children: ReactNode
  /** Why it cannot be chosen. */ readonly reason?: string | null
}

export const MenuItem = ({ onSelect, children, reason = null }: ItemProps): ReactNode => (
  <Radix.Item
    onSelect={onSelect}
    disabled={reason !== null}
    className="control-height flex flex-col justify-center rounded-control px-2 outline-none data-disabled:text-tertiary data-highlighted:bg-hover"
  >
    {children}
    {reason === null ? null : <span className="text-sm">{reason}</span>}
  </Radix.Item>
)

export const MenuSeparator = (): ReactNode => <Radix.Separator className="my-1 h-px bg-line" />
