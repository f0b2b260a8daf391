// The scripts of the sign-in page and of the page that a provider returns to.
//
// A flow belongs to the browser by a cookie, which the server sets, and to the tab by a key, which is kept in its storage.
import { passkeyCode } from "../../people/passkey-script.ts"
import { pageScript } from "../response.ts"

/** Where to go once signed in: only a path of this server, whatever a link says. */
export const returnCode = `
const pathOf = (text) => {
  if (!/^\\/(?![/\\\\])/.test(text ?? "")) return null
  const url = URL.parse(text, location.origin)
  return url?.origin === location.origin ? url.pathname + url.search : null
}
`

/** Says what happens in the page's `#status`, and sends JSON to this server. */
export const sendCode = `
const status = document.getElementById("status")
const say = (text, isBad) => { status.textContent = text; status.className = isBad ? "bad" : ""; if (isBad) status.focus() }
const send = async (path, body) => {
  const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    .catch(() => { throw new Error("Executor is not responding. Try again in a moment.") })
  const answer = await response.json().catch(() => null)
  if (!response.ok) throw new Error(answer?.error?.message === undefined ? "The server answered " + response.status : answer.error.message + ".")
  return answer
}
`

const sharedCode = `${returnCode}
const keyName = "executor-session-key"
const flowKeyName = "executor-signin-key"
const fromName = "executor-signin-from"
${sendCode}`

/** `#methods` has a button for each way to sign in; its attributes say what it does. */
export const methodsScript = pageScript(`${sharedCode}${passkeyCode}
const query = new URLSearchParams(location.search)
const { tenant } = document.getElementById("methods").dataset
const back = pathOf(query.get("return")) ?? "/inbox"
const given = (name) => query.get(name) === null ? {} : { [name]: query.get(name) }
const setBusy = (isBusy) => { for (const button of document.querySelectorAll("#methods button")) button.disabled = isBusy }
const run = (text, work) => async () => {
  setBusy(true)
  say(text, false)
  await work().catch((error) => { setBusy(false); say(error.message, true) })
}
for (const button of document.querySelectorAll("[data-oidc]")) button.addEventListener("click", run("On to the provider…", async () => {
  const { url, key } = await send("/api/signin/oidc/" + encodeURIComponent(button.dataset.oidc), { tenant, ...given("return"), ...given("test"), ...given("invitation") })
  if (!/^https?:/.test(url)) throw new Error("The provider's address cannot be opened.")
  sessionStorage.setItem(flowKeyName, key)
  sessionStorage.setItem(fromName, location.pathname + location.search)
  location.assign(url)
}))
document.querySelector("[data-passkey]")?.addEventListener("click", run("Follow your browser…", async () => {
  const { key } = await usePasskey("get", "/signin/passkey", {}, {})
  localStorage.setItem(keyName, key)
  location.replace(back)
}))
for (const link of document.querySelectorAll("a[href$='/signin']")) link.search = location.search
/** Whoever is signed in here already goes on, unless they came to test a provider. */
const skip = async () => {
  const key = localStorage.getItem(keyName) ?? ""
  if (key === "" || query.has("test")) return
  const reply = await fetch("/api/me", { headers: { "x-executor-session-key": key } })
  if (reply.ok && (await reply.json()).tenant === tenant) location.replace(back)
}
skip().catch(() => {})
addEventListener("storage", (event) => { if (event.key === keyName && event.newValue !== null) location.replace(back) })
addEventListener("pageshow", () => { setBusy(false); say("", false) })
`)

/** The answer is taken out of the address before anything else, so that neither history nor a reload has it. */
export const callbackScript = pageScript(`${sharedCode}
const answer = location.search.slice(1)
history.replaceState(null, "", location.pathname)
const content = document.getElementById("content")
const showAgain = () => {
  const from = pathOf(sessionStorage.getItem(fromName)) ?? "/signin"
  document.getElementById("again").href = from.startsWith("/signin") ? from : "/signin"
}
const fail = (error) => {
  document.title = "Not signed in · Executor"
  content.replaceChildren(document.getElementById("refused").content.cloneNode(true))
  content.querySelector("[data-reason]").textContent = error.message
  showAgain()
  content.querySelector("h1").focus()
}
const finish = async () => {
  const key = sessionStorage.getItem(flowKeyName) ?? ""
  sessionStorage.removeItem(flowKeyName)
  const done = await send(location.pathname, { answer, key })
  if (typeof done.html === "string") {
    document.title = done.title
    content.innerHTML = done.html
    return
  }
  localStorage.setItem(keyName, done.key)
  location.replace(pathOf(done.returnTo) ?? "/inbox")
}
finish().catch(fail)
`)
