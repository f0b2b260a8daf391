// The page that a provider returns to: the same for everybody, it hands over what came with the address.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { keepSessionKey } from "../../api/session.ts"
import { safeText } from "../../ui/text/text.tsx"
import { Layout } from "../layout.tsx"
import { flowStart, takeFlowKey } from "../provider.ts"
import { homePath, returnPath } from "../return-path.ts"
import { send } from "../send.ts"
import { Tested } from "./tested.tsx"
import type { TestedFacts } from "./tested.tsx"

/** Taken out of the address before anything else, so that neither history nor a reload has it. */
const answer = location.search.slice(1)
history.replaceState(null, "", location.pathname)

type Done = { readonly key: string; readonly returnTo: string | null } | { readonly tested: TestedFacts }

/** Once, however often the page is drawn. */
const done = send<Done>(location.pathname, { answer, key: takeFlowKey() })

export default function Page(): ReactNode {
  const [tested, setTested] = useState<TestedFacts | null>(null)
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => {
    done.then(
      (one) => {
        if ("tested" in one) return setTested(one.tested)
        keepSessionKey(one.key)
        location.replace(returnPath(one.returnTo) ?? homePath)
      },
      (error: unknown) => setReason(error instanceof Error ? error.message : String(error)),
    )
  }, [])
  if (tested !== null) return <Tested facts={tested} />
  if (reason === null) return <Layout title="Signing in…">{null}</Layout>
  return (
    <Layout title="You are not signed in">
      <p role="alert">{safeText(reason)}</p>
      <p>
        <a href={againPath()}>Try again</a>
      </p>
    </Layout>
  )
}

function againPath(): string {
  const from = returnPath(flowStart()) ?? ""
  return from.startsWith("/signin") ? from : "/signin"
}
