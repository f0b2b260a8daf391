// Starts the console of somebody who is signed in, or who is told to sign in.
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { setNonce } from "get-nonce"
import { queryClient } from "../api/query.ts"
import { router } from "./router.tsx"

export function start(root: HTMLElement): void {
  // Dialogs put style elements into the page, which its policy allows by this nonce alone.
  const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce
  if (nonce !== undefined) setNonce(nonce)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
