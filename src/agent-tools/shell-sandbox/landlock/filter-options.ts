// The seccomp filter that goes with Landlock: it refuses what Landlock does not govern.
import type { FilterOptions } from "../seccomp/filter.ts"

/**
 * Sockets of other programs, such as Docker's, are files that Landlock lets a command connect to, and shared memory is that of
 * all programs of the user. Landlock does not govern modes of files either: outside of the workspace, too, `chmod` could give
 * a program the rights of its owner, or give everybody the right to change a file.
 */
export const filterOptions = (network: boolean): FilterOptions => ({
  network,
  unixSockets: false,
  sharedMemory: false,
  namespaces: false,
  modeBits: 0o6002,
})
