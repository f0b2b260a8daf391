// What the palette can do besides going somewhere.
import { CircleQuestionMark, Fingerprint, IdCard, Moon, Sun, SunMoon, UserPlus } from "lucide-react"
import type { PaletteAction } from "./palette-subject.ts"
import { keepTheme } from "./theme.ts"

export const paletteActions: readonly PaletteAction[] = [
  {
    label: "Invite somebody",
    icon: UserPlus,
    act: (navigate) => void navigate({ to: "/people", search: { tab: "invitations", add: "yes" } }),
  },
  {
    label: "Why can (or cannot) somebody call a tool",
    icon: CircleQuestionMark,
    act: (navigate) => void navigate({ to: "/people", search: { tab: "why" } }),
  },
  { label: "New role", icon: IdCard, act: (navigate) => void navigate({ to: "/roles", search: { add: "yes" } }) },
  { label: "Passkeys of this account", icon: Fingerprint, act: (navigate) => void navigate({ to: "/passkeys" }) },
  { label: "Light theme", icon: Sun, act: () => keepTheme("light") },
  { label: "Dark theme", icon: Moon, act: () => keepTheme("dark") },
  { label: "Theme as the system has it", icon: SunMoon, act: () => keepTheme("system") },
]
