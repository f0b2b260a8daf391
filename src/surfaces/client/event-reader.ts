// Reads server-sent events out of the body of an answer.

export type ServerEvent = { readonly name: string; readonly data: string }

/** Leaving the iteration early cancels the body. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const event = newEvent()
  let rest = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split(lineBreak)
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const complete = event.take(line)
        if (complete !== null) yield complete
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

// A carriage return at the end of what has arrived may be half of a line break, so it waits for more.
const lineBreak = /\r\n|\n|\r(?!$)/

/** Collects fields until an empty line completes the event. */
function newEvent(): { take(line: string): ServerEvent | null } {
  let name = "message"
  let data: string[] = []
  return {
    take(line) {
      if (line !== "") {
        const [field, value] = splitField(line)
        if (field === "event") name = value
        if (field === "data") data.push(value)
        return null
      }
      const complete = data.length === 0 ? null : { name, data: data.join("\n") }
      name = "message"
      data = []
      return complete
    },
  }
}

function splitField(line: string): [field: string, value: string] {
  const colon = line.indexOf(":")
  if (colon === -1) return [line, ""]
  const value = line.slice(colon + 1)
  return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value]
}
