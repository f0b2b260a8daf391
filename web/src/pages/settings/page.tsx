// The page Settings: how the server tells people what waits, and which version it is.
import type { ReactNode } from "react"
import { useFilters } from "../../app/search.ts"
import { PageFrame } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { NotificationsTab } from "./notifications/tab.tsx"
import { VersionsTab } from "./versions-tab.tsx"

const tabs = [
  { id: "notifications", label: "Notifications", content: <NotificationsTab /> },
  { id: "versions", label: "Versions", content: <VersionsTab /> },
]

export function Page(): ReactNode {
  const [filters, setFilters] = useFilters<"tab" | "add" | "edit" | "notification">()
  const open = tabs.find(({ id }) => id === filters.tab)?.id ?? "notifications"
  return (
    <PageFrame title="Settings">
      <Tabs
        label="Sections"
        tabs={tabs}
        open={open}
        onOpen={(tab) => setFilters({ tab, add: undefined, edit: undefined, notification: undefined }, { isStep: true })}
      />
    </PageFrame>
  )
}
