// How much one command may use, each limit with the reason for its value.

const megabyte = 1024 * 1024
const gigabyte = 1024 * megabyte

export type CommandLimits = { readonly [Name in keyof typeof defaultCommandLimits]: number }

export const defaultCommandLimits = {
  /** A command that a model waits for; longer ones ask for more with `timeout_ms`. */
  timeoutMs: 10_000,
  /** The most that `timeout_ms` can ask for: an hour is enough for a build or a test suite. */
  timeoutMsMax: 3_600_000,
  /** Characters of a command in total. Systems refuse more than 128 KiB in one argument. */
  commandCharsMax: 128 * 1024,
  /** What is kept of the output, half of it from the beginning and half from the end. A model is shown less. */
  outputBytesMax: 1 * megabyte,
  /** Processes and threads at the same time. A build on many cores starts a few hundred. */
  processesMax: 1_000,
  /** One file. Larger ones are disk images, which agents do not write. */
  fileBytesMax: 2 * gigabyte,
  /** By how much the disk of the workspace may fill up while a command runs. */
  diskBytesMax: 8 * gigabyte,
  /** Files in a temporary folder that is in memory. */
  tmpBytesMax: 512 * megabyte,
  /** Memory of one process, and of all processes of a command together. Compilers and test runners use up to a few gigabytes. */
  memoryBytesMax: 8 * gigabyte,
  /** How often the use of processes, memory and disk is looked at. */
  watchIntervalMs: 100,
} satisfies Record<string, number>
