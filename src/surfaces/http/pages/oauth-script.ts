// The scripts of the consent pages: show the request, lead to the provider when the human clicks, and pass on its response.
import { shellCode } from "./shell-script.ts"
import { pageScript } from "./response.ts"

/** The answer to the click is where the provider is, or a page that says why not. */
export const offerScript = pageScript(`${shellCode}
const leave = async () => {
  const reply = await ask("POST", location.pathname)
  const { providerUrl } = reply.answer ?? {}
  if (reply.isOk && /^https?:/.test(providerUrl)) return location.assign(providerUrl)
  if (reply.answer?.html === undefined) throw refusal(reply)
  show(reply)
}
const load = async () => {
  await askToShow("GET")
  const button = content.querySelector("[data-leave]")
  button?.addEventListener("click", async () => {
    setBusy(true)
    say("On to the provider…", false)
    await leave().catch((error) => { say(error.message, true); setBusy(false); status.focus() })
  })
}
begin()
`)

/** Opening the page changes nothing, so that whoever signs in meanwhile can go on here. */
export const callbackScript = pageScript(`${shellCode}
const load = async () => {
  const reply = readKey() === "" ? { code: 401 } : await ask("POST", location.pathname + location.search)
  const { redirectTo } = reply.answer ?? {}
  if (reply.isOk && typeof redirectTo === "string") return location.replace(redirectTo)
  show(reply)
}
begin()
`)
