// What the palette can do besides going somewhere.
import type { UseNavigateResult } from "@tanstack/react-router"
import type { LucideIcon } from "lucide-react"
import { Moon, Sun, SunMoon } from "lucide-react"
import { keepTheme } from "./theme.ts"

type PaletteAction = { readonly label: string; readonly icon: LucideIcon; readonly act: (navigate: UseNavigateResult<string>) => void }

export const paletteActions: readonly PaletteAction[] = [
  { label: "Light theme", icon: Sun, act: () => keepTheme("light") },
  { label: "Dark theme", icon: Moon, act: () => keepTheme("dark") },
  { label: "Theme as the system has it", icon: SunMoon, act: () => keepTheme("system") },
]
