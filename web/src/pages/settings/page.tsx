// The page Settings: models, credentials, notifications, one's own access, limits and versions.
import type { ReactNode } from "react"
import { useFilters } from "../../app/search.ts"
import { PageFrame } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { AccessTab } from "./access/tab.tsx"
import { CredentialsTab } from "./credentials/tab.tsx"
import { LimitsTab } from "./limits-tab.tsx"
import { ModelsTab } from "./models/tab.tsx"
import { NotificationsTab } from "./notifications/tab.tsx"
import { VersionsTab } from "./versions-tab.tsx"

const tabs = [
  { id: "notifications", label: "Notifications", content: <NotificationsTab /> },
  { id: "models", label: "Models", content: <ModelsTab /> },
  { id: "credentials", label: "Credentials", content: <CredentialsTab /> },
  { id: "access", label: "Your access", content: <AccessTab /> },
  { id: "limits", label: "Limits", content: <LimitsTab /> },
  { id: "versions", label: "Versions", content: <VersionsTab /> },
]

export function Page(): ReactNode {
  const [filters, setFilters] = useFilters<"tab" | "add" | "edit" | "notification" | "q">()
  const open = tabs.find(({ id }) => id === filters.tab)?.id ?? "notifications"
  return (
    <PageFrame title="Settings">
      <Tabs
        label="Sections"
        tabs={tabs}
        open={open}
        onOpen={(tab) => setFilters({ tab, add: undefined, edit: undefined, notification: undefined, q: undefined }, { isStep: true })}
      />
    </PageFrame>
  )
}
