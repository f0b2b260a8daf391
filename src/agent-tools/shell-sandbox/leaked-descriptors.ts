// Keeps open files of this process out of its commands.
//
// Node.js closes its own when it starts a program, but not those that it inherited itself, nor what a native module opened
// without asking for that. Such a descriptor would lead out of any sandbox, so the program gets `/dev/null` in its place.
import { openSync, readFileSync, readdirSync } from "node:fs"

const closeOnExec = 0o2000000

let leaked: readonly number[] | null = null
let nothing: number | null = null

/** `stdio` of a program, with all descriptors covered that it would get besides. */
export function coverLeaked<T>(stdio: readonly T[]): (T | number | "ignore")[] {
  if (process.platform !== "linux") return [...stdio]
  leaked ??= findLeaked()
  const covered: (T | number | "ignore")[] = [...stdio]
  for (const descriptor of leaked) {
    if (descriptor < stdio.length) continue
    nothing ??= openSync("/dev/null", "r+")
    while (covered.length < descriptor) covered.push("ignore")
    covered[descriptor] = nothing
  }
  return covered
}

/** In ascending order. They are there from the start of the process, so that it is enough to look once. */
function findLeaked(): readonly number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor))
    .toSorted((a, b) => a - b)
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    return false
  }
}
