// The filter as the kernel would run it, on both architectures, also for calls of another convention.
import { describe, expect, test } from "vitest"
import { seccompFilter } from "./filter.ts"
import type { FilterOptions } from "./filter.ts"
import { architectures } from "./syscalls.ts"

const strict: FilterOptions = { network: false, unixSockets: false, sharedMemory: false, namespaces: false, modeBits: 0o6002 }

/** Runs the program on one call, with the few instructions that it uses. */
function decide(filter: Buffer, call: { readonly arch: number; readonly number: number; readonly args?: readonly number[] }): string {
  const facts = Buffer.alloc(64)
  facts.writeUInt32LE(call.number >>> 0, 0)
  facts.writeUInt32LE(call.arch, 4)
  for (const [at, arg] of (call.args ?? []).entries()) facts.writeBigUInt64LE(BigInt.asUintN(64, BigInt(arg)), 16 + 8 * at)
  let loaded = 0
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, onTrue, onFalse, value] = [
      filter.readUInt16LE(8 * at),
      filter.readUInt8(8 * at + 2),
      filter.readUInt8(8 * at + 3),
      filter.readUInt32LE(8 * at + 4),
    ]
    if (code === 0x20) loaded = facts.readUInt32LE(value)
    else if (code === 0x15) at += loaded === value ? onTrue : onFalse
    else if (code === 0x35) at += loaded >= value ? onTrue : onFalse
    else if (code === 0x45) at += (loaded & value) !== 0 ? onTrue : onFalse
    else if (code === 0x06) return answers[value] ?? `0x${value.toString(16)}`
    else throw new Error(`The kernel knows no instruction ${code}, or this interpreter does not`)
  }
  throw new Error("The program ends without an answer, which the kernel refuses")
}

const answers: Record<number, string> = {
  0x7fff0000: "allowed",
  0x80000000: "killed",
  0x00050001: "EPERM",
  0x00050026: "ENOSYS",
  0x0005005f: "EOPNOTSUPP",
}

describe.each(Object.entries(architectures))("%s", (name, { audit, numbers }) => {
  const filterOf = (options: Partial<FilterOptions> = {}): Buffer => seccompFilter({ ...strict, ...options }, name) ?? Buffer.alloc(0)
  const answer = (call: string, args: readonly number[] = [], options: Partial<FilterOptions> = {}): string => {
    const number = numbers[call]
    if (number === undefined) throw new Error(`no number for ${call}`)
    return decide(filterOf(options), { arch: audit, number, args })
  }

  test("the kernel takes programs of at most 4096 instructions", () => expect(filterOf().length / 8).toBeLessThanOrEqual(4096))

  test("calls of another convention end the process", () => {
    for (const arch of [0x40000003, 0x40000028, audit - 1, 0]) expect(decide(filterOf(), { arch, number: 0 })).toBe("killed")
  })

  test("ordinary calls are allowed", () => {
    // read, write, close and others of these numbers, on both; none of them is named by the filter.
    for (const number of [0, 1, 3, 63, 64]) {
      if (!Object.values(numbers).includes(number))
        expect(decide(filterOf({ sharedMemory: true }), { arch: audit, number })).toBe("allowed")
    }
  })

  test.each([
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "io_uring_setup",
    "mount",
    "unshare",
    "setns",
    "keyctl",
    "bpf",
    "shmget",
    "mq_open",
  ])("%s is refused", (call) => expect(answer(call)).toBe("EPERM"))

  test("threads and processes start, namespaces do not", () => {
    expect(answer("clone", [0x3d0f00])).toBe("allowed")
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(answer("clone", [flag | 17])).toBe("EPERM")
    expect(answer("clone3")).toBe("ENOSYS")
  })

  test("sockets are those that were allowed", () => {
    const families = (options: Partial<FilterOptions>): number[] =>
      [...Array(46).keys()].filter((family) => answer("socket", [family, 1], options) === "allowed")
    expect(families({})).toEqual([])
    expect(families({ unixSockets: true })).toEqual([1])
    expect(families({ network: true })).toEqual([2, 10])
    expect(answer("socketpair", [1])).toBe("allowed")
    expect(answer("socketpair", [2])).toBe("EPERM")
    // The kernel looks at the lower half alone, and so does the filter.
    expect(answer("socket", [2 + 2 ** 32, 1])).toBe("EPERM")
  })

  test("modes that give rights away are refused", () => {
    expect(answer("fchmodat", [0, 0, 0o755])).toBe("allowed")
    for (const mode of [0o4755, 0o2755, 0o777]) expect(answer("fchmodat", [0, 0, mode])).toBe("EPERM")
    expect(answer("fchmod", [0, 0o777], { modeBits: 0o6000 })).toBe("allowed")
  })

  test("limits and priorities are its own, where other processes have numbers", () => {
    for (const call of ["prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"]) {
      expect([answer(call, [0]), answer(call, [1]), answer(call, [1], { namespaces: true })]).toEqual(["allowed", "EPERM", "allowed"])
    }
    // The first argument says what the second is: a process, a group, or a user.
    expect([answer("setpriority", [0, 0]), answer("setpriority", [0, 1]), answer("setpriority", [2, 0])]).toEqual([
      "allowed",
      "EPERM",
      "EPERM",
    ])
    expect([answer("ioprio_set", [1, 0]), answer("ioprio_set", [1, 1]), answer("ioprio_set", [3, 0])]).toEqual([
      "allowed",
      "EPERM",
      "EPERM",
    ])
  })

  test("lists of who may use a file are not changed, where files outside have names", () => {
    for (const call of ["setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "removexattrat"])
      expect([answer(call), answer(call, [], { namespaces: true })]).toEqual(["EOPNOTSUPP", "allowed"])
  })

  test("there is no memory that counts for no process", () => expect(answer("memfd_create")).toBe("ENOSYS"))

  test("terminals take no input from it, and devices are not made", () => {
    expect(answer("ioctl", [0, 0x5401])).toBe("allowed")
    expect(answer("ioctl", [0, 0x5412])).toBe("EPERM")
    expect(answer("mknodat", [0, 0, 0o010644])).toBe("allowed")
    expect(answer("mknodat", [0, 0, 0o020644])).toBe("EPERM")
  })
})

test("x32 is no way around", () => {
  const filter = seccompFilter(strict, "x64") ?? Buffer.alloc(0)
  expect(decide(filter, { arch: 0xc000003e, number: 0x40000000 + 41, args: [2, 1] })).toBe("EPERM")
  expect(decide(filter, { arch: 0xc000003e, number: 0xffffffff })).toBe("EPERM")
})

test("other architectures have no filter", () => expect(seccompFilter(strict, "riscv64")).toBeNull())
