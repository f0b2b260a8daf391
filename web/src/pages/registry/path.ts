// The path of a tool as code writes it behind `tools.`.
import type { ToolView } from "toolplane/client"

export const pathOf = ({ address }: Pick<ToolView, "address">): string => address.replace(/^tools\./, "")
