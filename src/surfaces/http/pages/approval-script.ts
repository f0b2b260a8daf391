// The script of the approval page: sends the human's answer to the API, and shows how the execution continued.
import { liveCode } from "./approval-live.ts"
import { shellCode } from "./shell-script.ts"
import { pageScript } from "./response.ts"

const formCode = `
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
const isJson = (text) => { try { JSON.parse(text); return true } catch { return false } }
/** What is wrong with what was typed, in words; empty where nothing is. */
const problemOf = (input) => {
  const { validity, type, min, max, minLength, maxLength, value } = input
  if (validity.valueMissing) return "is required"
  if (validity.badInput) return "must be a number"
  if (validity.typeMismatch) return type === "email" ? "must be an email address, such as ann@example.com" : "must be a web address that starts with https://"
  if (validity.tooShort || (minLength > value.length && value !== "")) return "must have at least " + minLength + " characters"
  if (validity.tooLong) return "must have at most " + maxLength + " characters"
  if (validity.rangeUnderflow) return "must be at least " + min
  if (validity.rangeOverflow) return "must be at most " + max
  if (validity.stepMismatch) return "must be a whole number"
  if (input.tagName === "TEXTAREA" && value !== "" && !isJson(value)) return "is not valid JSON"
  return validity.valid ? "" : input.validationMessage
}
const mark = (input, text) => {
  const field = input.closest(".field")
  field.querySelector(".problem")?.remove()
  input.toggleAttribute("aria-invalid", false)
  if (text === "") return
  input.setAttribute("aria-invalid", "true")
  const note = document.createElement("p")
  note.className = "problem"
  note.id = input.id + "-problem"
  note.textContent = text
  input.setAttribute("aria-errormessage", note.id)
  field.append(note)
}
/** Whether all fields can be sent; those that cannot are marked, and the first is focused. */
const checkForm = (section) => {
  const problems = [...section.querySelectorAll(".field input:not([type=checkbox]), .field select, .field textarea")].flatMap((input) => {
    const problem = problemOf(input)
    const label = input.closest(".field").querySelector("label").dataset.label ?? "It"
    mark(input, problem === "" ? "" : label + " " + problem + ".")
    return problem === "" ? [] : [{ input, text: label + " " + problem + "." }]
  })
  if (problems.length === 0) return true
  say(problems.map(({ text }) => text).join(" "), true)
  problems[0].input.focus()
  return false
}
`

export const approveScript = pageScript(`${shellCode}${liveCode}${formCode}
const said = { accept: "Sent. The execution continues…", decline: "Declined. The execution continues without it…", cancel: "Cancelled…" }
const wire = () => {
  for (const section of document.querySelectorAll("[data-approval]")) {
    for (const button of section.querySelectorAll("[data-action]")) {
      const { action } = button.dataset
      button.addEventListener("click", () => action === "accept" && !checkForm(section) ? undefined : act(said[action], () => {
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
}
let waiting = null
const notify = () => {
  const live = content.querySelector("[data-waiting]")
  if (live === null || !("Notification" in window)) return
  const before = waiting
  waiting = Number(live.dataset.waiting)
  const button = live.querySelector("[data-notify]")
  button.hidden = Notification.permission !== "default"
  button.onclick = async () => { await Notification.requestPermission(); button.hidden = true }
  if (Notification.permission === "granted" && document.hidden && before !== null && waiting > before)
    new Notification("Executor", { body: waiting === 1 ? "1 call is waiting for you" : waiting + " calls are waiting for you", tag: "executor-approvals" })
}
const load = async () => {
  const before = shown
  await askToShow("GET")
  watch()
  if (shown === before) return
  wire()
  notify()
  const running = content.querySelector("[data-running]")?.dataset.running
  if (running === undefined) return
  follow("/api/executions/" + encodeURIComponent(running) + "/events", () => {}).catch(() => 0).then(() => pause(500)).then(() => { shown = ""; return load() }).catch((error) => say(error.message, true))
}
begin()
`)
