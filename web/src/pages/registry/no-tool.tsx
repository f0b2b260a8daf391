// What stands in the place of a tool that is not there.
import type { ReactNode } from "react"
import { Empty } from "../../ui/states.tsx"

export const NoTool = (): ReactNode => (
  <Empty title="There is no such tool" command="executor tools list">
    It was removed, its connection is gone, or your roles do not include it.
  </Empty>
)
