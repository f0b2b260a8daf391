// Makes the Landlock ruleset of a policy: what is not allowed here is refused.
import { statSync } from "node:fs"
import { libraryCalls } from "./libc.ts"
import type { LandlockPolicy } from "./policy.ts"

const execute = 1 << 0
const writeFile = 1 << 1
const readFile = 1 << 2
const readFolder = 1 << 3
const truncate = 1 << 14
const deviceControl = 1 << 15
/** All that versions 1 to 5 know: also making, removing, renaming and linking of all kinds of files. */
const allFiles = (1 << 16) - 1
const makeDevices = (1 << 6) | (1 << 11)
/** The rights that make sense for something that is not a folder. */
const forFiles = execute | writeFile | readFile | truncate | deviceControl

const bindAndConnect = 0b11
/** No abstract sockets, and no signals, of processes outside. */
const scopes = 0b11

export function createRuleset({ readable, writable, devices, network }: LandlockPolicy): number {
  const attributes = Buffer.alloc(24)
  attributes.writeBigUInt64LE(BigInt(allFiles), 0)
  attributes.writeBigUInt64LE(BigInt(network ? 0 : bindAndConnect), 8)
  attributes.writeBigUInt64LE(BigInt(scopes), 16)
  const ruleset = libraryCalls.createRuleset(attributes)
  if (ruleset < 0) throw new Error("the kernel refused the Landlock ruleset")
  for (const path of readable) allow(ruleset, path, execute | readFile | readFolder)
  for (const path of devices) allow(ruleset, path, readFile | writeFile | truncate)
  for (const path of writable) allow(ruleset, path, allFiles & ~(makeDevices | deviceControl))
  return ruleset
}

/** What does not exist, or cannot be opened, stays closed. */
function allow(ruleset: number, path: string, access: number): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  const descriptor = libraryCalls.openPath(path)
  if (descriptor < 0) return
  const attributes = Buffer.alloc(12)
  attributes.writeBigUInt64LE(BigInt(stats.isDirectory() ? access : access & forFiles), 0)
  attributes.writeInt32LE(descriptor, 8)
  const result = libraryCalls.addPath(ruleset, attributes)
  libraryCalls.close(descriptor)
  if (result < 0) throw new Error(`the kernel refused the Landlock rule for ${path}`)
}
