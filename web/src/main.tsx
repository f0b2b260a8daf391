// Starts what belongs to the address: the console, or a page outside of it, which loads none of the console.

// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import "./styles.css"

const isOutside = /^\/(?:signin|invite|authorize)(?:\/|$)/.test(location.pathname)
const root = document.getElementById("root")
const { start } = isOutside ? await import("./outside/start.tsx") : await import("./app/start.tsx")
if (root !== null) start(root)
