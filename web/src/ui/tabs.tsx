// Tabs over panels; which one is open is the caller's, who keeps it in the address.
import type { ReactNode } from "react"
import { useEffect, useRef } from "react"
import { Tabs as Radix } from "radix-ui"

export type Tab = { readonly id: string; readonly label: ReactNode; readonly content: ReactNode }

type TabsProps = { readonly label: string; readonly tabs: readonly Tab[]; readonly open: string; readonly onOpen: (id: string) => void }

export const Tabs = ({ label, tabs, open, onOpen }: TabsProps): ReactNode => (
  <Radix.Root value={open} onValueChange={onOpen}>
    <Radix.List ref={useOpenInSight(open)} aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ id, label: text }) => (
        <Radix.Trigger
          key={id}
          value={id}
          className="control-height -mb-px border-b-2 border-transparent px-2.5 whitespace-nowrap text-secondary -outline-offset-2 hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
        >
          {text}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map(({ id, content }) => (
      <Radix.Content key={id} value={id} className="pt-4">
        {content}
      </Radix.Content>
    ))}
  </Radix.Root>
)

/** On a phone the tabs are wider than the screen, and the open one may be the last. */
function useOpenInSight(open: string) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[data-state=active]")
    if (list.current === null || tab == null) return
    // Not by `scrollIntoView`, after which the Tab key would go on from here instead of from the beginning of the page.
    const { left, right } = list.current.getBoundingClientRect()
    const box = tab.getBoundingClientRect()
    list.current.scrollLeft += box.right > right ? box.right - right : Math.min(0, box.left - left)
  }, [open])
  return list
}
