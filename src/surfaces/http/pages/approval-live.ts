// How an open page learns of changes: one stream of events for all tabs of a browser, without polling.
//
// A browser opens six connections to a host at most, so that of all tabs one holds the stream and tells the others.
// Where it breaks off, it is opened again after a while, and its first event brings the page up to date.

/** After `shellCode`; the code after it calls `watch` and `follow`. */
export const liveCode = `
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** Answers the status with which the stream was refused, or 200 when it is over. */
const follow = async (path, onEvent) => {
  const response = await fetch(path, { headers: { "x-executor-session-key": readKey() } })
  if (!response.ok) return response.status
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ""; ;) {
    const { value, done } = await reader.read()
    if (done) return 200
    const events = (text + value).split("\\n\\n")
    text = events.pop()
    if (events.some((event) => event.startsWith("event:"))) onEvent()
  }
}
const others = "BroadcastChannel" in window ? new BroadcastChannel("executor-approvals") : null
let [isReading, isStale] = [false, false]
const refresh = async () => {
  isStale = true
  if (isReading) return
  isReading = true
  while (isStale) {
    isStale = false
    if (content.querySelector("[data-live]")) await load().then(() => say("", false), (error) => say(error.message, true))
  }
  isReading = false
}
others?.addEventListener("message", refresh)
const stream = async () => {
  for (let wait = 1000; ; wait = Math.min(wait * 2, 30000)) {
    const code = await follow("/api/approvals/events", () => { wait = 1000; refresh(); others?.postMessage("") }).catch(() => 0)
    if (code === 401) return
    if (code === 0 && content.querySelector("[data-live]")) say(silence, true)
    await pause(wait)
  }
}
let isWatching = false
const watch = () => {
  if (isWatching || isSignedOut()) return
  isWatching = true
  const run = navigator.locks ? navigator.locks.request("executor-approvals", stream) : stream()
  run.finally(() => { isWatching = false })
}
`
