// The pages in the order of the sidebar, with the keys that go there.
import type { LucideIcon } from "lucide-react"
import {
  BookOpenText,
  Bot,
  Boxes,
  FlaskConical,
  House,
  IdCard,
  Inbox,
  Library,
  ListTree,
  Plug,
  ScrollText,
  Settings,
  ShieldCheck,
  SquareTerminal,
  Users,
} from "lucide-react"

export type NavigationItem = { readonly to: string; readonly label: string; readonly icon: LucideIcon; readonly key?: string }
type Group = { readonly label: string | null; readonly items: readonly NavigationItem[] }

export const navigation: readonly Group[] = [
  {
    label: null,
    items: [
      { to: "/", label: "Home", icon: House, key: "h" },
      { to: "/inbox", label: "Inbox", icon: Inbox, key: "i" },
      { to: "/executions", label: "Executions", icon: ListTree, key: "e" },
      { to: "/playground", label: "Playground", icon: SquareTerminal, key: "p" },
    ],
  },
  {
    label: "Catalog",
    items: [
      { to: "/registry", label: "Registry", icon: Library, key: "r" },
      { to: "/integrations", label: "Integrations", icon: Boxes },
      { to: "/connections", label: "Connections", icon: Plug, key: "c" },
      { to: "/knowledge", label: "Knowledge", icon: BookOpenText },
      { to: "/search", label: "Search lab", icon: FlaskConical },
    ],
  },
  {
    label: "Govern",
    items: [
      { to: "/policies", label: "Policies", icon: ShieldCheck },
      { to: "/roles", label: "Roles", icon: IdCard },
      { to: "/people", label: "People", icon: Users },
      { to: "/agents", label: "Agents", icon: Bot, key: "a" },
      { to: "/audit", label: "Audit", icon: ScrollText },
      { to: "/settings", label: "Settings", icon: Settings },
    ],
  },
]

export const navigationItems = navigation.flatMap(({ items }) => items)
