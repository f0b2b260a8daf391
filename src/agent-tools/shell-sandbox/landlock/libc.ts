// The functions of the C library that confine a process, called through koffi.
import koffi from "koffi"
import type { KoffiFunc } from "koffi"

const libc = koffi.load(null)

/** Calls that a thread makes for itself: they hold for it, and for the processes that it starts. */
export const libraryCalls = {
  landlockVersion: () => systemCall(444, null, 0, 1, 0, 0, 0),
  createRuleset: (attributes: Buffer) => systemCall(444, attributes, attributes.length, 0, 0, 0, 0),
  addPath: (ruleset: number, attributes: Buffer) => ruleCall(445, ruleset, 1, attributes, 0, 0, 0),
  openPath: (path: string) => open(path, openPathOnly | closeOnExec),
  close: (descriptor: number) => close(descriptor),
  becomeSubreaper: () => prctl(36, 1, 0, 0, 0),
  /** Commands inherit the three standard descriptors, and no other. Node.js keeps all of them to itself otherwise. */
  shareStandardDescriptors: () => Math.min(closeRange(3, 0xffff_ffff, 4), ...[0, 1, 2].map((descriptor) => setFlags(descriptor, 2, 0))),
  /** Loading koffi makes standard error non-blocking, also for commands: what they write faster than it is read would be lost. */
  blockOnStandardDescriptors: () =>
    Math.min(...[0, 1, 2].map((descriptor) => setFlags(descriptor, 4, setFlags(descriptor, 3, 0) & ~nonBlocking))),
  /** The process that changed its state, 0 if none did, and how it ended. */
  wait: (pid: number, options: number): { readonly pid: number; readonly status: number } => {
    const status = [0]
    return { pid: waitpid(pid, status, options), status: status[0] ?? 0 }
  },
  endAtOnce: (code: number) => exitProcess(code),
}

export const waitOptions = { noHang: 1, untraced: 2 }

/** Calls on the one thread of the pool, in order. */
export const threadCalls = {
  id: () => onThread(threadCall, numbers.gettid, 0, 0, 0, 0, 0, 0),
  forbidNewPrivileges: () => onThread(prctl, 38, 1, 0, 0, 0),
  dropCapabilities: () => onThread(capabilityCall, numbers.capset, capabilityHeader(), Buffer.alloc(24), 0, 0, 0, 0),
  restrict: (ruleset: number) => onThread(threadCall, 446, ruleset, 0, 0, 0, 0, 0),
  /** `prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program)` */
  filter: (filter: Buffer) => onThread(prctlProgram, 22, 2, { len: filter.length / 8, filter }, 0, 0),
  spawn: async (file: string, args: readonly string[], env: readonly string[]): Promise<number> => {
    const pid = Buffer.alloc(4)
    const result = await onThread(posixSpawn, pid, file, null, spawnAttributes(), [...args, null], [...env, null])
    return result === 0 ? pid.readInt32LE() : -result
  },
  /** Ends the thread, not the process. Nothing answers. */
  end: () => {
    threadCall.async(numbers.exit, 0, 0, 0, 0, 0, 0, () => {})
  },
}

const openPathOnly = 0o10000000
const closeOnExec = 0o2000000
const nonBlocking = 0o4000

const numbers = process.arch === "arm64" ? { gettid: 178, capset: 91, exit: 93 } : { gettid: 186, capset: 126, exit: 60 }

// All six arguments are named: the C library reads the last from the stack, and on a thread koffi's stack ends where they do.
const systemCall = libc.func("long syscall(long number, const uint8_t *a, long b, long c, long d, long e, long f)")
const ruleCall = libc.func("long syscall(long number, long a, long b, const uint8_t *c, long d, long e, long f)")
const capabilityCall = libc.func("long syscall(long number, uint8_t *a, uint8_t *b, long c, long d, long e, long f)")
const threadCall = libc.func("long syscall(long number, long a, long b, long c, long d, long e, long f)")
const open = libc.func("int open(const char *path, int flags)")
const close = libc.func("int close(int descriptor)")
const setFlags = libc.func("int fcntl(int descriptor, int command, int flags)")
const closeRange = libc.func("int close_range(uint first, uint last, int flags)")
const prctl = libc.func("int prctl(int option, ulong a, ulong b, ulong c, ulong d)")
koffi.struct("sock_fprog", { len: "uint16_t", filter: "const uint8_t *" })
const prctlProgram = libc.func("int prctl(int option, ulong a, const sock_fprog *b, ulong c, ulong d)")
const waitpid = libc.func("int waitpid(int pid, _Out_ int *status, int options)")
const exitProcess = libc.func("void _exit(int code)")
const posixSpawn = libc.func(
  "int posix_spawn(uint8_t *pid, const char *file, void *actions, const uint8_t *attributes, const char **args, const char **env)",
)
const spawnAttributesInit = libc.func("int posix_spawnattr_init(uint8_t *attributes)")
const spawnAttributesFlags = libc.func("int posix_spawnattr_setflags(uint8_t *attributes, short flags)")
const spawnAttributesDefaults = libc.func("int posix_spawnattr_setsigdefault(uint8_t *attributes, const uint8_t *signals)")
const spawnAttributesMask = libc.func("int posix_spawnattr_setsigmask(uint8_t *attributes, const uint8_t *signals)")
const fillSignals = libc.func("int sigfillset(uint8_t *signals)")

/** A session of its own, and none of the signals that Node.js ignores or handles. */
function spawnAttributes(): Buffer {
  const [defaults, mask] = [1 << 2, 1 << 3]
  const newSession = 1 << 7
  // Larger than the structure of any C library.
  const attributes = Buffer.alloc(1024)
  const signals = Buffer.alloc(128)
  fillSignals(signals)
  spawnAttributesInit(attributes)
  spawnAttributesDefaults(attributes, signals)
  spawnAttributesMask(attributes, Buffer.alloc(128))
  spawnAttributesFlags(attributes, defaults | mask | newSession)
  return attributes
}

/** Version 3 of the call, for the calling thread. */
function capabilityHeader(): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32LE(0x20080522)
  return header
}

const onThread = (call: KoffiFunc<(...args: readonly unknown[]) => number>, ...args: readonly unknown[]): Promise<number> =>
  new Promise((resolve, reject) => {
    call.async(...args, (error: Error | null, result: number) => (error === null ? resolve(result) : reject(error)))
  })
