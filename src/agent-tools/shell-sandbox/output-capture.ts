// Keeps the beginning and the end of a command's output, however much there is.

export class OutputCapture {
  readonly #headMax: number
  readonly #tailMax: number
  readonly #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #droppedBytes = 0

  constructor(bytesMax: number) {
    this.#headMax = Math.ceil(bytesMax / 2)
    this.#tailMax = Math.floor(bytesMax / 2)
  }

  add(chunk: Buffer): void {
    const room = this.#headMax - this.#headBytes
    const first = chunk.subarray(0, room)
    if (first.length > 0) {
      // A copy, because a small part would keep the whole chunk in memory.
      this.#head.push(Buffer.from(first))
      this.#headBytes += first.length
    }
    const rest = chunk.subarray(first.length)
    if (rest.length === 0) return
    this.#tail.push(Buffer.from(rest.subarray(Math.max(0, rest.length - this.#tailMax))))
    this.#tailBytes += rest.length
    if (this.#tailBytes > 2 * this.#tailMax) this.#cutTail()
  }

  text(): string {
    this.#cutTail()
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    if (this.#droppedBytes === 0) return Buffer.concat([head, tail]).toString("utf8")
    // Both are cut between characters: what is half a character at an edge is left out.
    return `${wholeStart(head)}\n[${this.#droppedBytes} bytes of output were not kept]\n${wholeEnd(tail)}`
  }

  #cutTail(): void {
    const tail = Buffer.concat(this.#tail)
    const kept = tail.subarray(Math.max(0, tail.length - this.#tailMax))
    this.#droppedBytes += this.#tailBytes - kept.length
    this.#tail = [Buffer.from(kept)]
    this.#tailBytes = kept.length
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

function wholeStart(bytes: Buffer): string {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 3 && isContinuation(bytes[end - 1])) end -= 1
  const lead = bytes[end - 1]
  const length = lead === undefined || lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  const isWhole = end - 1 + length <= bytes.length
  return bytes.subarray(0, isWhole ? bytes.length : end - 1).toString("utf8")
}

function wholeEnd(bytes: Buffer): string {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start += 1
  return bytes.subarray(start).toString("utf8")
}
