// Numbers of things, as people say them.

/** `noun`: one of them; more get an s. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`
