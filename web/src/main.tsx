// Starts the console.
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { setNonce } from "get-nonce"
import { queryClient } from "./api/query.ts"
import { router } from "./app/router.tsx"
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import "./styles.css"

/** Dialogs put style elements into the page, which its policy allows by this nonce alone. */
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce
if (nonce !== undefined) setNonce(nonce)

const root = document.getElementById("root")
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
