// The page Registry.
import type { ReactNode } from "react"
import { PageFrame } from "../../ui/page.tsx"
import { Empty } from "../../ui/states.tsx"

export const Page = (): ReactNode => (
  <PageFrame title="Registry">
    <Empty title="This page is being built">Use the command line until then.</Empty>
  </PageFrame>
)
