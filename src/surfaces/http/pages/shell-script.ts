// The script of every page for signed-in humans: requests its content with the session's key, and shows it.
import { executorCommandOnPages } from "../../../io/executor-command.ts"

/** A server that an agent's program started ends with that program; what waits is kept, and any server shows it. */
const silence = `Executor is not responding. Open approvals are kept: start it with '${executorCommandOnPages} serve', or answer in a terminal with '${executorCommandOnPages} approvals list'.`

/** What a page sends with the session's key, and how it ends the session. */
export const sessionCode = `
const keyName = "executor-session-key"
const readKey = () => { try { return localStorage.getItem(keyName) ?? "" } catch { return "" } }
const silence = ${JSON.stringify(silence)}
const ask = async (method, path, body) => {
  const headers = { "x-executor-session-key": readKey(), ...(body === undefined ? {} : { "content-type": "application/json" }) }
  const response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    .catch(() => { throw new Error(silence) })
  return { code: response.status, isOk: response.ok, answer: await response.json().catch(() => null) }
}
const refusal = ({ code, answer }) => new Error(answer?.error?.message ?? "The server answered " + code)
const signOut = async () => {
  const reply = await ask("POST", "/signout")
  if (!reply.isOk && reply.code !== 401) throw refusal(reply)
  localStorage.removeItem(keyName)
}
`

/**
 * The code after it gives `load`, which fills the page, and calls `begin`. What is shown was written by the server as
 * text; were it not, the page's policy would run none of it.
 */
export const shellCode = `${sessionCode}
const [status, content, who] = ["status", "content", "who"].map((id) => document.getElementById(id))
const say = (text, isBad) => { status.textContent = text; status.className = isBad ? "bad" : "" }
const setBusy = (isBusy) => { for (const button of document.querySelectorAll("button")) button.disabled = isBusy }
const post = async (path, body) => {
  const reply = await ask("POST", path, body)
  if (!reply.isOk) throw refusal(reply)
}
const isSignedOut = () => content.querySelector("[data-signed-out]") !== null
const showSignedOut = () => {
  who.hidden = true
  document.title = "Sign in · Executor"
  content.replaceChildren(document.getElementById("signed-out").content.cloneNode(true))
  for (const link of content.querySelectorAll("[data-sign-in]")) link.href = "/signin?return=" + encodeURIComponent(location.pathname + location.search)
}
let shown = ""
/** What is the same as before is left alone, with whatever is open or focused in it. */
const show = (reply) => {
  const { code, answer } = reply
  if (answer?.html === undefined && code === 401) { shown = ""; return showSignedOut() }
  if (answer?.html === undefined) throw refusal(reply)
  document.title = answer.title
  who.querySelector("span").textContent = answer.user
  who.hidden = false
  if (answer.html === shown) return
  shown = answer.html
  content.innerHTML = answer.html
  for (const time of content.querySelectorAll("time")) time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })
}
const askToShow = async (method) => show(readKey() === "" ? { code: 401 } : await ask(method, location.pathname + location.search))
/** What was typed stays where it is when the work fails. */
const act = async (text, work) => {
  setBusy(true)
  say(text, false)
  try {
    await work()
    await load()
    say("", false)
    setBusy(false)
    content.querySelector("h1")?.setAttribute("tabindex", "-1")
    content.querySelector("h1")?.focus()
  } catch (error) {
    say(error.message, true)
    setBusy(false)
    status.focus()
  }
}
const begin = () => {
  who.querySelector("button").addEventListener("click", async () => {
    await act("Signing out…", signOut)
    if (isSignedOut()) say("You are signed out.", false)
  })
  const start = () => load().catch((error) => say(error.message, true))
  addEventListener("storage", (event) => { if (event.key === keyName && event.newValue !== null && isSignedOut()) start() })
  start()
}
`
