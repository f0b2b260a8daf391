// The frame around every page: sidebar, palette, messages, and the way in for whoever is not signed in.
import type { KeyboardEvent as ReactKeyboardEvent, ReactNode } from "react"
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react"
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import { Menu as MenuIcon, Search } from "lucide-react"
import { isSignedOut, meQuery, queryClient } from "../api/query.ts"
import { onSessionChange, readSessionKey } from "../api/session.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { commandKey } from "../ui/command-key.ts"
import { Failure, Skeleton } from "../ui/states.tsx"
import { lazilyOpened } from "../ui/lazily.tsx"
import { Toasts } from "../ui/toast.tsx"
import { TooltipProvider } from "../ui/tooltip.tsx"
import { useKeys } from "./keys.ts"
import { LazyPalette, paletteSoon } from "./lazy-palette.tsx"
import { useLive } from "./live.ts"
import { navigationItems } from "./navigation.ts"
import { Sidebar, WaitingCount } from "./sidebar.tsx"
import { SessionOver, SignedOut } from "./signed-out.tsx"

const KeyList = lazilyOpened(() => import("./key-list.tsx").then((part) => part.KeyList))
const PagesSheet = lazilyOpened(() => import("./pages-sheet.tsx").then((part) => part.PagesSheet))
/** Nobody waits for it. */
const WaitingSignals = lazy(async () => ({ default: (await import("./waiting-signals.ts")).WaitingSignals }))

export function Frame(): ReactNode {
  const [hasKey] = useState(() => readSessionKey() !== "")
  const me = useQuery({ ...meQuery, enabled: hasKey })
  const isOver = isSignedOut(me.error)
  useSessionChanges(me.data?.id ?? null)
  if (!hasKey || (isOver && me.data === undefined)) return <SignedOut />
  if (me.data !== undefined) return <SignedIn isOver={isOver} />
  if (me.error !== null) return <Failure error={me.error} onRetry={() => void queryClient.invalidateQueries(meQuery)} />
  return (
    <div className="p-6">
      <Skeleton />
    </div>
  )
}

/** Another tab signs in or out. What was typed here stays, unless somebody else is signed in now. */
function useSessionChanges(user: string | null): void {
  const first = useRef(user)
  useEffect(() => {
    first.current ??= user
    if (user !== null && user !== first.current) location.reload()
  }, [user])
  useEffect(
    () =>
      onSessionChange(() => {
        if (first.current === null || readSessionKey() === "") location.reload()
        else void queryClient.invalidateQueries()
      }),
    [],
  )
}

function SignedIn({ isOver }: { readonly isOver: boolean }): ReactNode {
  const [open, setOpen] = useState<"palette" | "keys" | "pages" | null>(null)
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isLive = useLive()
  useGoKeys(() => setOpen("keys"))
  usePaletteKey(() => setOpen("palette"))
  useFocusOnNewPage(path, main)
  const close = (): void => setOpen(null)
  return (
    <TooltipProvider>
      <a href="#main" className="absolute left-2 z-50 -translate-y-16 rounded-control bg-solid px-3 py-1 text-white focus:translate-y-2">
        Skip to content
      </a>
      <div className="flex h-full">
        <div className="hidden w-[232px] shrink-0 border-r border-line min-[900px]:block">
          <Sidebar onShowKeys={() => setOpen("keys")} />
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar onPages={() => setOpen("pages")} onSearch={() => setOpen("palette")} isLive={isLive || isOver} />
          {isOver ? <SessionOver /> : null}
          <main id="main" ref={main} tabIndex={-1} onKeyDown={enterRows} className="min-h-0 flex-1 outline-none">
            <Outlet />
          </main>
        </div>
      </div>
      <PagesSheet isOpen={open === "pages"} onClose={close} onShowKeys={() => setOpen("keys")} />
      <Suspense>
        <WaitingSignals />
      </Suspense>
      <LazyPalette isOpen={open === "palette"} onClose={close} />
      <KeyList isOpen={open === "keys"} onClose={close} />
      <Toasts />
    </TooltipProvider>
  )
}

type TopBarProps = { readonly onPages: () => void; readonly onSearch: () => void; readonly isLive: boolean }

const TopBar = ({ onPages, onSearch, isLive }: TopBarProps): ReactNode => (
  <div className="flex items-center gap-2 border-b border-line px-3 py-1.5 min-[900px]:px-6">
    <div className="flex items-center gap-1 min-[900px]:hidden">
      <IconButton label="Pages" onClick={onPages}>
        <MenuIcon size={18} aria-hidden="true" />
      </IconButton>
      <WaitingCount />
    </div>
    <Button {...paletteSoon} onClick={onSearch} className="w-full max-w-80 !justify-start !font-normal text-tertiary">
      <Search size={14} aria-hidden="true" />
      <span className="flex-1 text-left">Search or go to…</span>
      <kbd className="hidden text-xs min-[900px]:inline">{commandKey}K</kbd>
    </Button>
    <span className="flex-1" />
    {isLive ? null : (
      <span role="status" className="text-sm text-warn">
        Not live: reconnecting…
        <span className="hidden min-[900px]:inline"> What waits is kept. If Executor has stopped, start it again.</span>
      </span>
    )}
  </div>
)

/** `G` and then the letter of a page. */
function useGoKeys(showKeys: () => void): void {
  const navigate = useNavigate()
  const show = useRef(showKeys)
  show.current = showKeys
  const actions = useMemo(() => {
    const go = navigationItems.flatMap(({ key, to }) => (key === undefined ? [] : [[`g ${key}`, () => void navigate({ to })] as const]))
    return { ...Object.fromEntries(go), "?": () => show.current(), "/": focusFilter }
  }, [navigate])
  useKeys(actions)
}

/** A page marks its filter with `data-filter`. */
const focusFilter = (): void => document.querySelector<HTMLElement>("[data-filter]")?.focus()

/** Enter goes from the filter to the rows that it leaves, unless it chooses one of the filter's own suggestions. */
function enterRows({ key, target }: ReactKeyboardEvent): void {
  if (key !== "Enter" || !(target instanceof HTMLInputElement) || !target.matches("[data-filter]")) return
  if ((target.list?.options.length ?? 0) === 0) document.querySelector<HTMLElement>("[data-rows]")?.focus()
}

function usePaletteKey(show: () => void): void {
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])
}

/** So that a screen reader and the keyboard begin at the new page. */
function useFocusOnNewPage(path: string, main: { readonly current: HTMLElement | null }): void {
  const before = useRef(path)
  useEffect(() => {
    if (before.current !== path) main.current?.focus()
    before.current = path
  }, [path, main])
}
