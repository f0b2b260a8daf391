// The one place where the command line names the product and the other surfaces; each is loaded by the command that needs it.

export const loadServer = () => import("../../preset/server.ts")
export const loadExecutor = () => import("../../preset/local.ts")
export const loadClient = () => import("../client/client.ts")
export const loadStdioBridge = () => import("../mcp/stdio-bridge.ts")

export type { RunningServer } from "../../preset/server.ts"
export type { Bridge, BridgeTarget } from "../mcp/stdio-bridge.ts"
