// The port to the tools of workspaces: they exist for the execution that a workspace was attached for, and for nobody else.
import type { Principal } from "../../core/principal.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { StaticTool } from "../static-tool.ts"

/** Who opened a workspace, which is asked for by the same token alone. */
export type WorkspaceUser = Pick<Principal, "tenant" | "user" | "tokenId">

export interface WorkspaceTools {
  /** Whether an execution of theirs can be given this workspace. */
  isAttached(user: WorkspaceUser, id: string): boolean
  /** Those of the workspace that the principal acts with; none where it has none, or nobody is attached to it here. */
  list(principal: Principal): readonly StaticTool[]
  /** By a path that begins with `local.`. A failure says why there is no such tool at this moment. */
  find(principal: Principal, path: string): StaticTool | ToolFailure
}
