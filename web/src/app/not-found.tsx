// An address without a page.
import type { ReactNode } from "react"
import { LinkButton } from "../ui/button.tsx"
import { Empty } from "../ui/states.tsx"

export const NotFound = (): ReactNode => (
  <Empty title="There is no page here" action={<LinkButton to="/">Go home</LinkButton>}>
    The address may have been mistyped, or what it showed has been removed.
  </Empty>
)
