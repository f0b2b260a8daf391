// The script of the consent page: sends the human's decision and returns to the client.
import { pageScript } from "../pages/response.ts"
import { shellCode } from "../pages/shell-script.ts"

/** A client's program takes over where a page does not follow, so that the page says that it is done. */
export const consentScript = pageScript(`${shellCode}
const readPatterns = () => {
  const choice = content.querySelector("input[name=reach]:checked")
  if (choice.value === "all") return null
  return (choice.value === "custom" ? content.querySelector("textarea").value : choice.dataset.patterns).split(/[\\s,]+/).filter((one) => one !== "")
}
const readDecision = (action, shown) => {
  if (action === "deny") return { action, shown }
  const elicitation = [...content.querySelectorAll("input[name=mode]:checked")].map((input) => input.value)
  return { action, shown, patterns: readPatterns(), elicitation }
}
const leave = (url) => {
  location.replace(url)
  content.replaceChildren(document.getElementById("decided").content.cloneNode(true))
}
const decide = async (action, shown) => {
  setBusy(true)
  say(action === "allow" ? "Connecting…" : "Telling the client…", false)
  try {
    const reply = await ask("POST", location.pathname + location.search, readDecision(action, shown))
    if (!reply.isOk || typeof reply.answer?.redirectTo !== "string") throw refusal(reply)
    say("", false)
    setBusy(false)
    leave(reply.answer.redirectTo)
  } catch (error) {
    say(error.message, true)
    setBusy(false)
    status.focus()
  }
}
/** A click that was meant for another window, which was here a moment ago, decides nothing. */
const pause = () => { setBusy(true); setTimeout(() => setBusy(false), 600) }
addEventListener("focus", () => { if (content.querySelector("[data-action]") !== null && status.textContent === "") pause() })
const load = async () => {
  await askToShow("GET")
  pause()
  for (const button of content.querySelectorAll("[data-action]"))
    button.addEventListener("click", () => decide(button.dataset.action, button.dataset.shown))
}
begin()
`)
