// The limits that parts of the product keep in files of their own.
import { fileToolLimits } from "../agents/file-tool-limits.ts"
import { agentLimits } from "../agents/limits.ts"
import { notificationLimits } from "../notifications/limits.ts"
import { retrievalLimits } from "../retrieval/limits.ts"
import { workspaceLimits } from "../workspaces/limits.ts"

export const partLimits = {
  ...agentLimits,
  ...notificationLimits,
  ...fileToolLimits,
  ...workspaceLimits,
  ...retrievalLimits,
} as const
