// Tells the person through the browser when something begins to wait, while the console is open in another tab.
import type { ReactNode } from "react"
import { useEffect, useRef } from "react"
import { Button } from "../../ui/button.tsx"
import { useNotificationPermission } from "../../ui/use-notification-permission.ts"

export function NotifyButton({ waiting }: { readonly waiting: number | null }): ReactNode {
  const [permission, ask] = useNotificationPermission()
  const before = useRef(waiting)
  useEffect(() => {
    const seen = before.current
    before.current = waiting
    if (permission !== "granted" || !document.hidden || seen === null || waiting === null || waiting <= seen) return
    // No name and no argument of a call: whoever looks at the screen may be somebody else.
    void new Notification("Executor", {
      body: waiting === 1 ? "1 call is waiting for you" : `${waiting} calls are waiting for you`,
      tag: "executor-approvals",
    })
  }, [waiting, permission])
  if (permission !== "default") return null
  return <Button onClick={() => void ask()}>Notify me here</Button>
}
