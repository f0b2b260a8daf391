// A tool as it is indexed, with nothing said about it but what a test says.
import type { IndexedTool } from "../indexed-tool.ts"

export const indexedTool = (name: string, summary = "", more: Partial<IndexedTool> = {}): IndexedTool => ({
  name,
  title: "",
  summary,
  description: "",
  tags: [],
  parameters: [],
  deprecated: false,
  effect: "read",
  ...more,
})
