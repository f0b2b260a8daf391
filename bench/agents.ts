// What a run of an agent costs beside the AI SDK's own loop, with the same model and the same API.
//
// All loops are in this process, in turns; the model and the API have processes of their own. Ours streams the model's
// answers, journals each of them durably before its calls start, and lets every call pass the gate. The SDK's keeps
// everything in memory; it is compared where it streams too (`streamText`), and shown without (`generateText`). For many
// runs at once each loop has a process to itself, so that its memory can be told.
import { execFileSync } from "node:child_process"
import { executorLoop, sdkLoop } from "./agents-loops.ts"
import type { Loop } from "./agents-loops.ts"
import { startAgentBench } from "./agents-setup.ts"
import { peakRssMegabytes, quantile, table, timed } from "./measure.ts"

const steps = 10
const callsAStep = 6
const rounds = 40
const warmUpRounds = 10
const atOnce = 200

/** As the scripted model understands them. */
const texts = { none: "none", oneCall: `read ${steps} 1`, manyCalls: `read ${steps} ${callsAStep}` }
type Times = Record<keyof typeof texts, number[]>
type Load = { readonly perSecond: number; readonly rssMb: number }

const [part] = process.argv.slice(2)
const bench = await startAgentBench()
const executor = executorLoop(await bench.open(), bench)
const loops = { executor, streamText: sdkLoop("streams", bench), generateText: sdkLoop("in one piece", bench) }
if (part === "executor" || part === "streamText") process.stdout.write(JSON.stringify(await load(loops[part])))
else table(["", "Executor", "streamText", "ratio", "generateText"], [...overheadRows(await inTurns()), ...loadRows()])
await bench.close()

async function load(loop: Loop): Promise<Load> {
  for (let round = 0; round < warmUpRounds; round += 1) await loop(texts.oneCall)
  const ms = await timed(() => Promise.all(Array.from({ length: atOnce }, () => loop(texts.oneCall))))
  return { perSecond: (atOnce / ms) * 1000, rssMb: peakRssMegabytes() }
}

function loadAlone(name: "executor" | "streamText"): Load {
  return JSON.parse(execFileSync(process.execPath, [import.meta.filename, name], { encoding: "utf8" })) as Load // written above
}

async function inTurns(): Promise<Record<keyof typeof loops, Times>> {
  const none = (): Times => ({ none: [], oneCall: [], manyCalls: [] })
  const times = { executor: none(), streamText: none(), generateText: none() }
  const names = Object.keys(times) as (keyof typeof times)[]
  const kinds = Object.keys(texts) as (keyof typeof texts)[]
  for (let round = -warmUpRounds; round < rounds; round += 1)
    for (const kind of kinds)
      for (const name of names) {
        const ms = await timed(() => loops[name](texts[kind]))
        if (round >= 0) times[name][kind].push(ms)
      }
  return times
}

/** On a busy machine a durable write waits for its turn: the tenth part shows what the work itself takes. */
function overheadRows(times: Record<keyof typeof loops, Times>): string[][] {
  const row = (what: string, of: (one: Times) => number): string[] => {
    const [own, streamed, whole] = [of(times.executor), of(times.streamText), of(times.generateText)]
    return [what, `${own.toFixed(2)} ms`, `${streamed.toFixed(2)} ms`, (own / streamed).toFixed(2), `${whole.toFixed(2)} ms`]
  }
  return [0.1, 0.5].flatMap((share) => {
    const at = (values: readonly number[]): number => quantile(values, share)
    const name = `p${share * 100}`
    return [
      row(`a run without calls, ${name}`, (one) => at(one.none)),
      row(`a step with one call, ${name}`, (one) => (at(one.oneCall) - at(one.none)) / steps),
      row(`each further call of a step, ${name}`, (one) => (at(one.manyCalls) - at(one.oneCall)) / steps / (callsAStep - 1)),
    ]
  })
}

function loadRows(): string[][] {
  const [own, other] = [loadAlone("executor"), loadAlone("streamText")]
  const row = (what: string, unit: string, of: (one: Load) => number): string[] => [
    what,
    `${of(own).toFixed(0)} ${unit}`,
    `${of(other).toFixed(0)} ${unit}`,
    (of(own) / of(other)).toFixed(2),
    "",
  ]
  return [row(`${atOnce} runs at once`, "runs/s", (one) => one.perSecond), row("the most memory (RSS) in that", "MB", (one) => one.rssMb)]
}
