// The model of the benchmarks of agents, in a process of its own: the user's text says what it calls.
import { startModelServer } from "../test/servers/model.ts"

/** `<end of a tool's name> <steps> <calls a step>`, then the answer; any other text is answered at once. */
const server = await startModelServer((request) => {
  server.requests.length = 0
  const [end = "", steps = 0, calls = 0] = request.userText.split(" ")
  const name = request.tools.find((one) => one.endsWith(end))
  const done = request.outputs.length
  if (name === undefined || done >= Number(steps) * Number(calls)) return { text: "Done." }
  return { calls: Array.from({ length: Number(calls) }, (_, place) => ({ name, arguments: { id: done + place } })) }
})
console.log(server.baseUrl)
