// Numbers of things, as people say them.

/** `noun`: one of them; more get an s. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** The same number wherever tools are counted: those that a policy blocks are among them. */
export const toolCountText = ({ toolCount, blockedCount }: { readonly toolCount: number; readonly blockedCount: number }): string =>
  `${toolCount}${blockedCount === 0 ? "" : ` (${blockedCount} blocked)`}`
