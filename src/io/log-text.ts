// Writes one JSON log line as people read it at a terminal: time, level, message, then the fields.

export function logText(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Record<string, unknown> // written by our own logger
  const clock = typeof time === "string" ? new Date(time).toLocaleTimeString("en-GB") : ""
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`)
  return `${[clock, String(level).padEnd(5), escaped(String(msg)), ...rest].join(" ")}\n`
}

function fieldText(value: unknown): string {
  // The stack of an error is for the JSON lines, which whoever reports it can send.
  if (typeof value === "object" && value !== null && "message" in value) return escaped(JSON.stringify(value.message))
  return escaped(typeof value === "string" && /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value))
}

/** What a terminal would obey instead of showing. */
const escaped = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
