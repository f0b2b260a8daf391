// Sets the limits that the kernel keeps for each process, before the command begins.
import type { CommandLimits } from "./command-limits.ts"

/**
 * `sh` sets the limits and becomes the command. Shells differ in the letter for processes: `-u` or `-p`. If a limit cannot be
 * set, the one that is there already may be lower, which is as good; the command then runs with that one.
 */
export function limitedCommand(command: readonly string[], limits: CommandLimits, before = ""): readonly string[] {
  const kilobytes = (bytes: number): number => Math.ceil(bytes / 1024)
  const script = [
    "ulimit -c 0",
    // Blocks of 512 bytes; some shells count in kilobytes, and then it is twice as much.
    `ulimit -f ${Math.ceil(limits.fileBytesMax / 512)}`,
    `ulimit -d ${kilobytes(limits.memoryBytesMax)}`,
    before,
    'exec "$@"',
  ]
  return ["/bin/sh", "-c", script.filter((line) => line !== "").join("\n"), "sh", ...command]
}
