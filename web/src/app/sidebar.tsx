// The sidebar: where to go, what waits, who is signed in.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import { Fingerprint, Keyboard, LogOut, Moon, Sun, SunMoon } from "lucide-react"
import { useState } from "react"
import { waitingQuery } from "../api/waiting.ts"
import { meQuery, queryClient } from "../api/query.ts"
import { signOut } from "../api/session.ts"
import { IconButton } from "../ui/button.tsx"
import { Mark } from "../ui/mark.tsx"
import { Line } from "../ui/text/text.tsx"
import { toastError } from "../ui/toast.tsx"
import { Tooltip } from "../ui/tooltip.tsx"
import { navigation } from "./navigation.ts"
import { keepTheme, readTheme, themes } from "./theme.ts"
import type { Theme } from "./theme.ts"

const themeIcons = { system: SunMoon, light: Sun, dark: Moon }

type SidebarProps = { readonly onGo?: (() => void) | undefined; readonly onShowKeys: () => void }

export const Sidebar = ({ onGo, onShowKeys }: SidebarProps): ReactNode => (
  <div className="flex h-full flex-col overflow-y-auto bg-surface p-2">
    <Link to="/" onClick={onGo} className="flex items-center gap-2 px-2 py-2 font-semibold text-text no-underline">
      <Mark /> Executor
    </Link>
    <nav aria-label="Pages" className="flex-1">
      {navigation.map(({ label, items }) => (
        <div key={label ?? "top"} className="pb-3">
          {label === null ? null : <div className="px-2 pb-1 text-xs font-medium text-tertiary">{label}</div>}
          <ul>
            {items.map(({ to, label: text, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  onClick={onGo}
                  activeOptions={{ exact: to === "/", includeSearch: false }}
                  activeProps={{ "aria-current": "page", className: "bg-hover !text-text font-medium" }}
                  className="control-height flex items-center gap-2 rounded-control px-2 text-secondary no-underline hover:bg-hover hover:text-text"
                >
                  <Icon size={15} aria-hidden="true" />
                  <span className="flex-1">{text}</span>
                  {to === "/inbox" ? <WaitingCount /> : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
    <Footer onGo={onGo} onShowKeys={onShowKeys} />
  </div>
)

export function WaitingCount(): ReactNode {
  const { data } = useQuery(waitingQuery)
  if (data === undefined || data.count === 0) return null
  const text = data.isMore ? `${data.count}+` : String(data.count)
  return (
    <span aria-label={`${text} waiting`} className="tint-waiting tabular rounded-full px-1.5 text-xs font-semibold">
      {text}
    </span>
  )
}

function Footer({ onGo, onShowKeys }: SidebarProps): ReactNode {
  const { data: me } = useQuery(meQuery)
  const leave = async (): Promise<void> => {
    await signOut()
    queryClient.clear()
    location.assign("/signin")
  }
  return (
    <div className="flex flex-wrap items-center gap-1 border-t border-line pt-2">
      <span className="w-full truncate px-2 text-secondary">{me === undefined ? null : <Line>{me.name}</Line>}</span>
      <Tooltip text="Passkeys">
        <Link
          to="/passkeys"
          onClick={onGo}
          aria-label="Passkeys"
          className="control-height inline-flex min-w-7 items-center justify-center rounded-control text-secondary hover:bg-hover hover:text-text"
        >
          <Fingerprint size={15} aria-hidden="true" />
        </Link>
      </Tooltip>
      <ThemeButton />
      <IconButton label="Keys" onClick={onShowKeys}>
        <Keyboard size={15} aria-hidden="true" />
      </IconButton>
      <IconButton label="Sign out" onClick={() => void leave().catch(toastError)}>
        <LogOut size={15} aria-hidden="true" />
      </IconButton>
    </div>
  )
}

function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState<Theme>(readTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
  const Icon = themeIcons[theme]
  return (
    <IconButton
      label={`Theme: ${theme}. Change to ${next}`}
      onClick={() => {
        keepTheme(next)
        setTheme(next)
      }}
    >
      <Icon size={15} aria-hidden="true" />
    </IconButton>
  )
}
