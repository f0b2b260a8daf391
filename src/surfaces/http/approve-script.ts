// What the approval page does: sends the human's answer to the API as JSON, and shows how the execution went on.
import { shellCode } from "./page-shell-script.ts"
import { pageScript } from "./session-response.ts"

export const approveScript = pageScript(`${shellCode}
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
const wire = () => {
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
}
const load = async () => {
  await askToShow("GET")
  wire()
  if (content.querySelector("[data-running]")) setTimeout(() => load().catch((error) => say(error.message, true)), 2000)
}
begin()
`)
