// Starts a page outside of the console: those of whoever is not signed in yet.
import type { ComponentType } from "react"
import { StrictMode, Suspense, lazy } from "react"
import { createRoot } from "react-dom/client"

const pages: readonly (readonly [RegExp, () => Promise<{ default: ComponentType }>])[] = [
  [/^\/signin\/oidc\/callback$/, () => import("./sign-in/callback-page.tsx")],
  [/^\/signin/, () => import("./sign-in/page.tsx")],
  [/^\/invite/, () => import("./invite/page.tsx")],
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
