// The keys of calls that tools made of tools make: the parent's key, a slash and their own.

/** How many calls, one inside the other, lead to this one. */
export const depthOf = (key: string): number => key.split("/").length - 1

/** The key of the call whose code made this one; null where an execution's own code did. */
export function parentOf(key: string): string | null {
  const slash = key.lastIndexOf("/")
  return slash < 0 ? null : key.slice(0, slash)
}

/** The key of the call of the execution's own code that leads to this one. */
export const rootOf = (key: string): string => key.split("/", 1)[0] ?? key
