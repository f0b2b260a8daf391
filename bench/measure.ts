// What the benchmarks share: times, medians, memory, and a table.
import { readFileSync } from "node:fs"

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** How long each piece of work took, done by so many at once for so long. */
export async function repeat(work: () => Promise<unknown>, concurrency: number, ms: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + ms
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const startedMs = performance.now()
      await work()
      times.push(performance.now() - startedMs)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return times
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The most this process ever held, as the kernel counts it. */
export function peakRssMegabytes(): number {
  const line = readFileSync("/proc/self/status", "utf8").match(/VmHWM:\s+(\d+) kB/)
  return Math.round(Number(line?.[1] ?? Number.NaN) / 1024)
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  process.stdout.write(`${[line(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n")}\n`)
}
