// The script of the API reference: searches it, and folds the contents on narrow screens.
import { pageScript } from "../script.ts"

/** Every word must be in the section; a group without a section that has them is hidden with its heading. */
export const docsScript = pageScript(`
const [find, found, contents] = ["find", "found", "contents"].map((id) => document.getElementById(id))
const narrow = matchMedia("(max-width: 52rem)")
const fold = () => { contents.open = !narrow.matches }
narrow.addEventListener("change", fold)
fold()
contents.addEventListener("click", (event) => { if (narrow.matches && event.target.closest("a")) contents.open = false })
find.hidden = false
const links = new Map([...document.querySelectorAll("#contents a")].map((link) => [link.hash.slice(1), link.parentElement]))
const sections = [...document.querySelectorAll("main section")].map((section) => ({ section, text: section.textContent.toLowerCase(), link: links.get(section.id) }))
const groups = [...document.querySelectorAll("[data-group]")]
const search = () => {
  const words = find.value.toLowerCase().split(/\\s+/).filter((word) => word !== "")
  let count = 0
  for (const { section, text, link } of sections) {
    const isHit = words.every((word) => text.includes(word))
    section.hidden = !isHit
    if (link) link.hidden = !isHit
    count += isHit ? 1 : 0
  }
  for (const group of groups) group.hidden = words.length > 0 && group.querySelector("section:not([hidden]), li:not([hidden])") === null
  found.textContent = words.length === 0 ? "" : count === 1 ? "1 match" : count + " matches"
}
find.addEventListener("input", search)
`)
