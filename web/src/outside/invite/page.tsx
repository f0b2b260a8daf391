// The page at `/invite`, where somebody accepts an invitation.
//
// The link's token stands behind `#`, so that no log and no other site has it; this page hands it over.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { safeText } from "../../ui/text/text.tsx"
import { Layout } from "../layout.tsx"
import { send } from "../send.ts"
import { Invitation } from "./invitation.tsx"
import type { InvitationFacts } from "./invitation.tsx"

export default function Page(): ReactNode {
  const [token] = useState(() => location.hash.slice(1))
  const [facts, setFacts] = useState<InvitationFacts | null>(null)
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => {
    const again = (): void => location.reload()
    addEventListener("hashchange", again)
    return () => removeEventListener("hashchange", again)
  }, [])
  useEffect(() => {
    send<InvitationFacts>("/invite/open", { token }).then(setFacts, (error: unknown) =>
      setReason(error instanceof Error ? error.message : String(error)),
    )
  }, [token])
  if (facts !== null) return <Invitation token={token} facts={facts} />
  if (reason === null) return <Layout title="Opening your invitation…">{null}</Layout>
  return (
    <Layout title="This invitation does not work">
      <p role="alert">{safeText(reason)}</p>
      <p>
        Already have an account? <a href="/signin">Sign in</a>.
      </p>
    </Layout>
  )
}
