// Says that something is still going on, once it takes longer than a second.
import type { Screen } from "./screen.ts"

const quietMs = 1000
const tickMs = 200
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/** `label`: what is said, or what says it anew. On a terminal one line that moves and is wiped at the end; elsewhere one line that stays. */
export async function withProgress<T>(label: string | (() => string), screen: Screen, work: () => Promise<T>): Promise<T> {
  const start = Date.now()
  const said = (): string => (typeof label === "string" ? label : label())
  const seconds = (): number => Math.round((Date.now() - start) / 1000)
  let ticks: NodeJS.Timeout | undefined
  const draw = (frame: number): void => void process.stderr.write(`\r\u001b[K${frames[frame % frames.length]} ${said()} ${seconds()} s`)
  const begin = setTimeout(() => {
    if (!screen.isErrTerminal) return screen.note(`${said()} …`)
    let frame = 0
    ticks = setInterval(() => draw(frame++), tickMs)
  }, quietMs)
  try {
    return await work()
  } finally {
    clearTimeout(begin)
    if (ticks !== undefined) {
      clearInterval(ticks)
      process.stderr.write("\r\u001b[K")
    }
  }
}
