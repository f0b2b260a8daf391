// The list of keys.
import type { ReactNode } from "react"
import { commandKey } from "../ui/command-key.ts"
import { Dialog } from "../ui/dialogs/dialog.tsx"
import { navigationItems } from "./navigation.ts"

const everywhere: readonly (readonly [string, string])[] = [
  [`${commandKey}K`, "Search, go to a page, act"],
  ["/", "Filter this page; Enter goes on to its rows"],
  ["J, K", "Next, previous row"],
  ["Enter", "Open the row"],
  ["A, D", "Approve, decline what is open in the inbox"],
  ["Esc", "Close"],
  ["?", "This list"],
]

export const KeyList = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode => (
  <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
      {[
        ...everywhere,
        ...navigationItems.flatMap(({ key, label }) => (key === undefined ? [] : [[`G ${key.toUpperCase()}`, label] as const])),
      ].map(([keys, does]) => (
        <div key={keys} className="contents">
          <dt className="font-mono text-sm">{keys}</dt>
          <dd className="text-secondary">{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
