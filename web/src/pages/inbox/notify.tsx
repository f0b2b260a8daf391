// Asks the person, in the inbox, whether this browser may notify them of what begins to wait.
import type { ReactNode } from "react"
import { Button } from "../../ui/button.tsx"
import { useNotificationPermission } from "../../ui/use-notification-permission.ts"

export function NotifyButton(): ReactNode {
  const [permission, ask] = useNotificationPermission()
  if (permission !== "default") return null
  return <Button onClick={() => void ask()}>Notify me here</Button>
}
