// The list of pages on a narrow screen.
import type { ReactNode } from "react"
import { Dialog as Radix } from "radix-ui"
import { Sidebar } from "./sidebar.tsx"

type SheetProps = { readonly isOpen: boolean; readonly onClose: () => void; readonly onShowKeys: () => void }

export const PagesSheet = ({ isOpen, onClose, onShowKeys }: SheetProps): ReactNode => (
  <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
    <Radix.Portal>
      <Radix.Overlay className="fade-in fixed inset-0 z-40 bg-black/40" />
      <Radix.Content aria-describedby={undefined} className="fade-in fixed inset-y-0 left-0 z-50 w-[272px] border-r border-line bg-surface">
        <Radix.Title className="sr-only">Pages</Radix.Title>
        <Sidebar onGo={onClose} onShowKeys={onShowKeys} />
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)
