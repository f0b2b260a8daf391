// Starts a page outside of the console: of whoever is not signed in yet, or decides about a client on the way to it.
import type { ComponentType } from "react"
import { StrictMode, Suspense, lazy } from "react"
import { createRoot } from "react-dom/client"

const pages: readonly (readonly [RegExp, () => Promise<{ default: ComponentType }>])[] = [
  [/^\/signin\/oidc\/callback$/, () => import("./sign-in/callback-page.tsx")],
  [/^\/signin/, () => import("./sign-in/page.tsx")],
  [/^\/invite/, () => import("./invite/page.tsx")],
  [/^\/authorize/, () => import("./authorize/page.tsx")],
]

export function start(root: HTMLElement): void {
  const load = pages.find(([path]) => path.test(location.pathname))?.[1]
  if (load === undefined) return
  const Page = lazy(load)
  createRoot(root).render(
    <StrictMode>
      <Suspense>
        <Page />
      </Suspense>
    </StrictMode>,
  )
}
