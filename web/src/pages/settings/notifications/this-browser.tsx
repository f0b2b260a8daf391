// Whether this browser may notify the person who sits before it: theirs to decide, no admin's.
import type { ReactNode } from "react"
import { Status } from "../../../ui/badge.tsx"
import type { Tone } from "../../../ui/badge.tsx"
import { Button } from "../../../ui/button.tsx"
import { useNotificationPermission } from "../../../ui/use-notification-permission.ts"
import type { PermissionState } from "../../../ui/use-notification-permission.ts"

const states: Readonly<Record<PermissionState, { readonly tone: Tone; readonly label: string; readonly about: string }>> = {
  granted: {
    tone: "ok",
    label: "Allowed",
    about: "It tells you when something begins to wait while the console is open, on any page, in tabs that you do not look at.",
  },
  default: {
    tone: "neutral",
    label: "Not asked yet",
    about: "Allow it to be told when something begins to wait while the console is open in another tab.",
  },
  denied: {
    tone: "warn",
    label: "Blocked",
    about: "The browser blocks notifications of this site. Allow them in the browser's settings of this site.",
  },
  unsupported: { tone: "neutral", label: "Not possible", about: "This browser has no notifications." },
}

export function ThisBrowser(): ReactNode {
  const [state, ask] = useNotificationPermission()
  const { tone, label } = states[state]
  const about =
    state === "denied" && !isSecureContext ? "Browsers allow notifications only over https and on localhost." : states[state].about
  return (
    <section aria-labelledby="this-browser" className="flex flex-col items-start gap-2 rounded-card border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="this-browser" className="font-semibold">
          This browser
        </h2>
        <Status tone={tone}>{label}</Status>
      </div>
      <p className="text-secondary">{about} It never shows names or arguments.</p>
      {state === "default" ? <Button onClick={() => void ask()}>Allow notifications</Button> : null}
    </section>
  )
}
