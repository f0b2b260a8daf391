// People: who is here, who is invited, where they sign in, and why somebody can or cannot call a tool.
import type { ReactNode } from "react"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { lazily } from "../../ui/lazily.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { PersonDrawer } from "./person/drawer.tsx"
import type { PeopleFilters } from "./queries.ts"
import { AccountDialog } from "./account-dialog.tsx"
import { UsersTab } from "./users-tab.tsx"

const InvitationsTab = lazily(() => import("./invitations/tab.tsx").then((part) => part.InvitationsTab))
const ProvidersTab = lazily(() => import("./providers/tab.tsx").then((part) => part.ProvidersTab))
const WhyTab = lazily(() => import("./why/tab.tsx").then((part) => part.WhyTab))

const tabs = [
  { id: "people", label: "People", content: <UsersTab isService={false} /> },
  { id: "services", label: "Service accounts", content: <UsersTab isService /> },
  { id: "invitations", label: "Invitations", content: <InvitationsTab /> },
  { id: "providers", label: "Sign-in providers", content: <ProvidersTab /> },
  { id: "why", label: "Why can they?", content: <WhyTab /> },
]

const nothingElse = { q: undefined, status: undefined, source: undefined, role: undefined, person: undefined, add: undefined } as const

export function Page(): ReactNode {
  const [filters, set] = useFilters<keyof PeopleFilters>()
  const open = tabs.find(({ id }) => id === filters.tab)?.id ?? "people"
  const close = (): void => set({ person: undefined })
  return (
    <PageFrame title="People" actions={<Action tab={open} />}>
      <Tabs
        label="People"
        tabs={tabs}
        open={open}
        onOpen={(tab) => set({ ...nothingElse, provider: undefined, tab: tab === "people" ? undefined : tab }, { isStep: true })}
      />
      {filters.person === undefined ? null : <PersonDrawer key={filters.person} id={filters.person} onClose={close} />}
      {open === "services" && filters.add !== undefined ? <AccountDialog onClose={() => set({ add: undefined })} /> : null}
    </PageFrame>
  )
}

function Action({ tab }: { readonly tab: string }): ReactNode {
  const [, set] = useFilters<keyof PeopleFilters>()
  const missing = { admin: useMissingRight("admin"), invite: useMissingRight("people.invite") }
  if (tab === "services")
    return (
      <Button kind="primary" reason={missing.admin} onClick={() => set({ add: "yes" }, { isStep: true })}>
        New service account
      </Button>
    )
  if (tab === "providers")
    return (
      <Button kind="primary" reason={missing.admin} onClick={() => set({ add: "yes" }, { isStep: true })}>
        Add a provider
      </Button>
    )
  return (
    <Button
      kind="primary"
      reason={missing.invite}
      onClick={() => set({ ...nothingElse, tab: "invitations", add: "yes" }, { isStep: true })}
    >
      Invite somebody
    </Button>
  )
}
