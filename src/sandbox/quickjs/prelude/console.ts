// The console: lines are formatted here and captured by the host, until the limit; after that they are only counted.
import type { Kit } from "./kit.ts"

export function installConsole(kit: Kit): void {
  const levels = { debug: 0, info: 1, log: 2, warn: 3, error: 4 }
  const valueCharsMax = 10_000
  /** One long line must not use up the room of those that follow. */
  const lineCharsMax = Math.ceil(Math.min(16_384, kit.limits.logBytesMax / 6))
  const counts = new Map<string, number>()
  const startedMs = new Map<string, number>()
  let lines = 0
  let chars = 0
  let indent = ""

  function shown(value: unknown): string {
    if (typeof value === "string") return value
    if (value instanceof Error) {
      const frames = kit.framesOf(value)
      const fields = Object.entries(value)
      const held = fields.length > 0 ? ` ${kit.preview(Object.fromEntries(fields), valueCharsMax)}` : ""
      return `${value.name}: ${value.message}${held}${frames ? `\n${frames}` : ""}`
    }
    return kit.preview(value, valueCharsMax).replace(/^"|"$/g, "")
  }

  function formatted(args: unknown[]): string {
    const rest = [...args]
    if (typeof rest[0] !== "string" || !rest[0].includes("%") || rest.length < 2) return rest.map(shown).join(" ")
    const first = (rest.shift() as string).replace(/%[sdifjoOc%]/g, (directive) => {
      // it was seen to be a string
      if (directive === "%%") return "%"
      if (rest.length === 0) return directive
      const value = rest.shift()
      if (directive === "%c") return ""
      if (directive === "%d" || directive === "%f") return String(Number(value))
      if (directive === "%i") return String(Math.trunc(Number(value)))
      return shown(value)
    })
    return [first, ...rest.map(shown)].join(" ")
  }

  function print(level: number, args: unknown[]): void {
    if (lines >= kit.limits.logLinesMax || chars >= kit.limits.logBytesMax) {
      kit.logsDropped += 1
      return
    }
    let text: string
    try {
      text = formatted(args)
    } catch {
      text = "[A value that cannot be shown]"
    }
    text = indent + text.toWellFormed()
    if (text.length > lineCharsMax) text = `${text.slice(0, lineCharsMax)}… [${text.length - lineCharsMax} more characters]`
    text = text.slice(0, kit.limits.logBytesMax - chars)
    lines += 1
    chars += text.length
    kit.bridge.log(level, text)
  }

  const label = (value: unknown): string => (value === undefined ? "default" : shown(value))
  const elapsed = (name: string): string => `${name}: ${Date.now() - (startedMs.get(name) ?? Date.now())}ms`
  const printer =
    (level: number) =>
    (...args: unknown[]) =>
      print(level, args)

  kit.define("console", {
    debug: printer(levels.debug),
    info: printer(levels.info),
    log: printer(levels.log),
    warn: printer(levels.warn),
    error: printer(levels.error),
    dir: (value: unknown) => print(levels.log, [value]),
    table: (value: unknown) => print(levels.log, [value]),
    trace: (...args: unknown[]) => print(levels.debug, [...args, `\n${kit.framesOf(new Error())}`]),
    assert: (condition: unknown, ...args: unknown[]) => {
      if (!condition) print(levels.error, ["Assertion failed", ...args])
    },
    count: (name?: unknown) => {
      const count = (counts.get(label(name)) ?? 0) + 1
      counts.set(label(name), count)
      print(levels.log, [`${label(name)}: ${count}`])
    },
    countReset: (name?: unknown) => void counts.delete(label(name)),
    time: (name?: unknown) => void startedMs.set(label(name), Date.now()),
    timeLog: (name?: unknown, ...args: unknown[]) => print(levels.log, [elapsed(label(name)), ...args]),
    timeEnd: (name?: unknown) => {
      print(levels.log, [elapsed(label(name))])
      startedMs.delete(label(name))
    },
    group: (...args: unknown[]) => {
      if (args.length > 0) print(levels.log, args)
      indent = indent.slice(0, 40) + "  "
    },
    groupCollapsed: (...args: unknown[]) => {
      if (args.length > 0) print(levels.log, args)
      indent = indent.slice(0, 40) + "  "
    },
    groupEnd: () => {
      indent = indent.slice(2)
    },
  })
}
