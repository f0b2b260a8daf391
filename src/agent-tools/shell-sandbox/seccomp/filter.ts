// Writes the seccomp filter of a command: a BPF program that the kernel runs before each system call.
//
// A call made by another convention than the machine's own ends the process, because its numbers mean something else.
// Everything that this file does not name is allowed: files are the business of the driver, not of the filter.
import { architectures } from "./syscalls.ts"

export type FilterOptions = {
  /** Whether sockets of the internet may be opened. */
  readonly network: boolean
  /** Whether sockets that lead to other programs of this machine may be opened. Pairs of connected sockets always may. */
  readonly unixSockets: boolean
  /** Whether shared memory and queues of System V and POSIX may be used: only if they are the command's own. */
  readonly sharedMemory: boolean
  /** Whether it has namespaces of its own. Without them, other processes have numbers, and files outside have names. */
  readonly namespaces: boolean
  /** Bits of a file's mode that `chmod` may not set. */
  readonly modeBits: number
}

const names = (...lists: readonly string[]): readonly string[] => lists.flatMap((list) => list.split(" "))

/** They reach into other processes, into the kernel, or out of the sandbox. */
const refused = names(
  "ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd move_pages migrate_pages",
  "io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd fanotify_init",
  "mount umount2 pivot_root chroot move_mount open_tree open_tree_attr mount_setattr",
  "fsopen fsconfig fsmount fspick name_to_handle_at open_by_handle_at lookup_dcookie",
  "unshare setns keyctl add_key request_key quotactl quotactl_fd acct swapon swapoff",
  "init_module finit_module delete_module kexec_load kexec_file_load reboot syslog vhangup",
  "settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname iopl ioperm modify_ldt",
)

/** Other processes of the same user could share these. */
const shared = ["shmget", "shmat", "shmctl", "semget", "semop", "semctl", "semtimedop", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open"]

/** Their flags are in memory, where a filter cannot look. Programs do without them if the kernel does not know them. */
const unknown = ["clone3", "openat2"]

/** Files in memory that count for no process, so that no limit holds for them. */
const uncounted = ["memfd_create"]

/** They set limits and priorities, by which a process outside could be stopped. The first argument is its number, 0 for itself. */
const byNumber = ["prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"]

/** Attributes hold lists of who may use a file, also of one outside. File systems without them are common. */
const attributes = names("setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat")

/** `CLONE_NEW…`: mount, cgroup, uts, ipc, user, pid, net. */
const newNamespaces = 0x7e020000

const unix = 1
const internet = [2, 10]
/** Put characters into the input of a terminal, as if a human had typed them. */
const terminalInput = [0x5412, 0x541c]
/** Set in the modes of devices, and in none of those of pipes, sockets and files. */
const device = 0o020000

const allow = 0x7fff0000
const endProcess = 0x80000000
const errno = (code: number): number => 0x00050000 | code
const notPermitted = errno(1)
const notImplemented = errno(38)
const notSupported = errno(95)

type Instruction = readonly [code: number, onTrue: number, onFalse: number, value: number]
const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const answer = (value: number): Instruction => [0x06, 0, 0, value]
/** Skips so many instructions, depending on the loaded value. */
const ifEquals = (value: number, onTrue: number, onFalse: number): Instruction => [0x15, onTrue, onFalse, value]
const ifAtLeast = (value: number, onTrue: number, onFalse: number): Instruction => [0x35, onTrue, onFalse, value]
const ifAnyBit = (value: number, onTrue: number, onFalse: number): Instruction => [0x45, onTrue, onFalse, value]
/** The lower half of an argument, which is all that the kernel looks at in the calls below. */
const loadArgument = (index: number): Instruction => load(16 + 8 * index)

/** The filter as the kernel takes it: eight bytes for each instruction. Null on an architecture that it does not know. */
export function seccompFilter(options: FilterOptions, arch: string = process.arch): Buffer | null {
  const architecture = architectures[arch]
  if (architecture === undefined) return null
  const { audit, foreignFrom, numbers } = architecture

  /** Asks more about one call; `decision` ends with an answer in every case. */
  const onCall = (name: string, decision: readonly Instruction[]): readonly Instruction[] => {
    const number = numbers[name]
    return number === undefined ? [] : [ifEquals(number, 0, decision.length), ...decision]
  }
  const onlyIfOneOf = (index: number, values: readonly number[]): readonly Instruction[] => [
    loadArgument(index),
    ...values.map((value, at) => ifEquals(value, values.length - at, 0)),
    answer(notPermitted),
    answer(allow),
  ]
  const unlessOneOf = (index: number, values: readonly number[]): readonly Instruction[] => [
    loadArgument(index),
    ...values.map((value, at) => ifEquals(value, values.length - at, 0)),
    answer(allow),
    answer(notPermitted),
  ]
  /** `which` says what kind of number the second argument is, of which 0 means the caller. */
  const onlyItself = (which: number): readonly Instruction[] => [
    loadArgument(0),
    ifEquals(which, 0, 2),
    loadArgument(1),
    ifEquals(0, 1, 0),
    answer(notPermitted),
    answer(allow),
  ]
  const unlessAnyBit = (index: number, bits: number): readonly Instruction[] => [
    loadArgument(index),
    ifAnyBit(bits, 0, 1),
    answer(notPermitted),
    answer(allow),
  ]

  return encode([
    load(4),
    ifEquals(audit, 1, 0),
    answer(endProcess),
    load(0),
    ...(foreignFrom === null ? [] : [ifAtLeast(foreignFrom, 0, 1), answer(notPermitted)]),
    ...refused.flatMap((name) => onCall(name, [answer(notPermitted)])),
    ...(options.sharedMemory ? [] : shared.flatMap((name) => onCall(name, [answer(notPermitted)]))),
    ...[...unknown, ...uncounted].flatMap((name) => onCall(name, [answer(notImplemented)])),
    ...(options.namespaces
      ? []
      : [
          ...byNumber.flatMap((name) => onCall(name, onlyIfOneOf(0, [0]))),
          ...onCall("setpriority", onlyItself(0)),
          ...onCall("ioprio_set", onlyItself(1)),
          ...attributes.flatMap((name) => onCall(name, [answer(notSupported)])),
        ]),
    ...onCall("clone", unlessAnyBit(0, newNamespaces)),
    ...onCall("socket", onlyIfOneOf(0, [...(options.unixSockets ? [unix] : []), ...(options.network ? internet : [])])),
    ...onCall("socketpair", onlyIfOneOf(0, [unix])),
    ...onCall("ioctl", unlessOneOf(1, terminalInput)),
    ...onCall("chmod", unlessAnyBit(1, options.modeBits)),
    ...onCall("fchmod", unlessAnyBit(1, options.modeBits)),
    ...onCall("fchmodat", unlessAnyBit(2, options.modeBits)),
    ...onCall("fchmodat2", unlessAnyBit(2, options.modeBits)),
    ...onCall("mknod", unlessAnyBit(1, device)),
    ...onCall("mknodat", unlessAnyBit(2, device)),
    answer(allow),
  ])
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length)
  for (const [at, [code, onTrue, onFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * at)
    bytes.writeUInt8(onTrue, 8 * at + 2)
    bytes.writeUInt8(onFalse, 8 * at + 3)
    bytes.writeUInt32LE(value >>> 0, 8 * at + 4)
  }
  return bytes
}
