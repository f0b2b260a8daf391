// The router: every page at its address, loaded when it is first opened.
import { createRouter } from "@tanstack/react-router"
import { PageError } from "./page-error.tsx"
import { parseSearch, stringifySearch } from "./search.ts"
import { routeTree } from "./routes.ts"

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultErrorComponent: ({ error, reset }) => <PageError error={error} reset={reset} />,
  scrollRestoration: false,
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
