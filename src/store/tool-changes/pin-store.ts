// The store port of pins: the definitions of tools that humans accepted.
import type { ConnectionRef } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonText } from "../../core/tool.ts"

/** The tools of a connection as a human accepted them; they go with the connection. */
export interface PinRows {
  /** By tool. */
  list(scope: Scope, ref: ConnectionRef): Promise<PinRow[]>
  /** Adds these, or replaces those of the same tools. */
  put(scope: Scope, ref: ConnectionRef, pins: readonly PinRow[]): Promise<void>
}
export type PinRow = { readonly tool: string; readonly definition: JsonText }
