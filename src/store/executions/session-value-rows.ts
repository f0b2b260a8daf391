// The store port for values that code keeps between executions.
import type { JsonText } from "../../core/tool.ts"

/** What code keeps between executions of one session. */
export interface SessionValueRows {
  get(key: SessionKey, now: string): Promise<JsonText | null>
  /** Refuses what would take the session, or all sessions of its principal, over their size. */
  put(key: SessionKey, value: JsonText, expiresAt: string, room: SessionRoom): Promise<"kept" | "session_full" | "principal_full">
  deleteExpired(now: string): Promise<void>
}
export type SessionKey = { readonly tenant: string; readonly session: string; readonly name: string }
/** `principal`: its sessions are named so, or begin so with a slash behind it. */
export type SessionRoom = { readonly bytesMax: number; readonly principal: string; readonly principalBytesMax: number }
