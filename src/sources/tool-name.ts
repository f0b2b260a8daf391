// The rules for tool names that every source must follow.
import { addressBytesMax } from "../core/address.ts"

/** Such that the address fits whatever the integration and the connection are called (63 characters each). */
export const toolNameBytesMax = addressBytesMax - `tools.${"s".repeat(63)}.user.${"c".repeat(63)}.`.length

/** A segment must be an identifier, and a thenable would be awaited. */
export const safeSegment = (segment: string): string => (segment === "then" ? "then_" : /^[0-9]/.test(segment) ? `_${segment}` : segment)
