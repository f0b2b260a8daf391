// What the approval page does: sends the human's answer to the API as JSON, and shows how the execution went on.
import { pageScript } from "./session-response.ts"

export const approveScript = pageScript(`
const status = document.getElementById("status")
const say = (text, isBad) => { status.textContent = text; status.className = isBad ? "bad" : "" }
const setBusy = (isBusy) => { for (const button of document.querySelectorAll("button")) button.disabled = isBusy }
const post = async (path, body) => {
  const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json", "x-executor-session-key": localStorage.getItem("executor-session-key") ?? "" }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  if (response.ok) return
  const answer = await response.json().catch(() => null)
  throw new Error(answer?.error?.message ?? "The server answered " + response.status)
}
const act = async (text, work) => {
  setBusy(true)
  say(text, false)
  try {
    await work()
    location.reload()
  } catch (error) {
    say(error.message, true)
    setBusy(false)
    status.focus()
  }
}
const readField = (field) => {
  const { kind } = field.dataset
  if (kind === "boolean") return field.querySelector("input").checked
  if (kind === "choices") return [...field.querySelectorAll("input:checked")].map((input) => input.value)
  const { value } = field.querySelector("input, select, textarea")
  if (value === "") return undefined
  if (kind === "number") return Number(value)
  return kind === "json" ? JSON.parse(value) : value
}
const readForm = (section) => {
  const whole = section.querySelector("[data-whole]")
  if (whole) return JSON.parse(whole.querySelector("textarea").value || "{}")
  const content = {}
  for (const field of section.querySelectorAll("[data-field]")) {
    const value = readField(field)
    if (value !== undefined) content[field.dataset.field] = value
  }
  return content
}
const said = { accept: "Approved. The execution goes on…", decline: "Declined. The execution goes on without it…", cancel: "Cancelled…" }
for (const section of document.querySelectorAll("[data-approval]")) {
  for (const button of section.querySelectorAll("[data-action]")) {
    button.addEventListener("click", () => act(said[button.dataset.action], () => {
      const action = button.dataset.action
      const inputs = [...section.querySelectorAll("input, select, textarea")]
      const wrong = action === "accept" && inputs.find((input) => !input.reportValidity())
      if (wrong) throw new Error("Please fill in what is missing.")
      const remember = section.querySelector("[data-remember]:checked")?.value
      const content = action === "accept" && section.dataset.kind === "form" ? { content: readForm(section) } : {}
      return post("/api/approvals/" + encodeURIComponent(section.dataset.approval), { action, ...content, ...(action === "accept" && remember ? { remember } : {}) })
    }))
  }
}
for (const button of document.querySelectorAll("[data-all]")) {
  const action = button.dataset.all
  const approvalIds = [...document.querySelectorAll("[data-approval]")].map((section) => section.dataset.approval)
  button.addEventListener("click", () => act(said[action], () => post("/api/executions/" + encodeURIComponent(button.dataset.execution) + "/resume", { action, approvalIds })))
}
for (const button of document.querySelectorAll("[data-signout]")) button.addEventListener("click", () => act("Signing out…", async () => {
  await post("/signout")
  localStorage.removeItem("executor-session-key")
}))
for (const time of document.querySelectorAll("time")) time.textContent = new Date(time.dateTime).toLocaleString()
const running = document.querySelector("[data-running]")
if (running) setTimeout(() => location.reload(), 2000)
`)
