// Cuts a stream of bytes into lines of bounded length, each piece copied once however it arrives.

export type Lines = {
  /** False when a line has become longer than is allowed; nothing is read any more. */
  push(chunk: Buffer): boolean
}

const newline = 0x0a

export function createLines(bytesMax: number, onLine: (line: string) => void): Lines {
  let pieces: Buffer[] = []
  let bytes = 0
  let isBroken = false
  const keep = (piece: Buffer): boolean => {
    bytes += piece.byteLength
    isBroken ||= bytes > bytesMax
    if (isBroken) pieces = []
    else pieces.push(piece)
    return !isBroken
  }
  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        if (!keep(chunk.subarray(start, end))) return false
        const line = Buffer.concat(pieces, bytes).toString("utf8")
        pieces = []
        bytes = 0
        start = end + 1
        onLine(line)
      }
      return keep(chunk.subarray(start))
    },
  }
}
