// The style of the pages on which humans act, on top of that of all pages.
import { pageStyleSheet } from "./response.ts"

export const approveStyle = pageStyleSheet(`
.approve { max-width: 50rem; margin: 0 auto; padding: 2rem 1.25rem 5rem; }
.approve h1:focus { outline: none; }
.approve pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.approve pre.outcome { max-height: 32rem; overflow: auto; }
.ask { margin: 1.5rem 0; padding: 1.25rem 1.5rem 1.5rem; border: 1px solid var(--line); border-left: 4px solid var(--edge); border-radius: 12px; background: var(--panel); }
.ask h2 { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
.ask pre { background: var(--paper); }
.ask.effect-destroy { border-color: var(--bad); }
.effect { display: inline-block; padding: 0.05rem 0.55rem; border: 1px solid currentColor; border-radius: 999px; font-size: 0.8rem; font-weight: 600; color: var(--soft); }
.effect-write .effect { color: var(--warn); }
.effect-destroy .effect { color: var(--bad); background: var(--bad-panel); }
.effect-destroy button.primary { background: var(--bad); border-color: var(--bad); }
.facts, .args { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.35rem 1.25rem; margin: 0.75rem 0; }
.facts dt { color: var(--soft); }
.facts dd, .args dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
.args { padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
.facts ul { list-style: none; margin: 0; padding: 0; }
.args dt { color: var(--soft); max-width: 16rem; }
.args pre { margin: 0; background: var(--panel); }
pre.text { font: inherit; }
.theirs { font-style: normal; white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote.theirs { margin: 0.75rem 0; padding: 0.6rem 1rem; border: 1px dashed var(--edge); border-radius: 8px; background: var(--paper); }
.caution { padding: 0.5rem 0.9rem; border: 1px solid var(--warn-line); border-radius: 8px; background: var(--warn-panel); color: var(--ink); font-size: 0.9rem; }
.approve pre.code { counter-reset: line; padding-left: 0; padding-right: 0; }
.code .line { display: block; padding: 0 1rem 0 3.5rem; text-indent: -2.75rem; color: inherit; background: none; }
.code .line::before { counter-increment: line; content: counter(line); display: inline-block; width: 1.75rem; margin-right: 1rem; text-align: right; text-indent: 0; color: var(--soft); }
.code mark.line { background: var(--warn-panel); box-shadow: inset 3px 0 var(--warn); }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.next { padding: 0.75rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 8px; }
.methods { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; max-width: 24rem; margin: 1.25rem 0 1.75rem; }
.methods:empty { display: none; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.25rem; }
button, a.button { font: inherit; font-weight: 600; padding: 0.55rem 1.1rem; border-radius: 8px; border: 1px solid var(--edge); background: var(--paper); color: var(--ink); cursor: pointer; overflow-wrap: anywhere; }
a.button { display: inline-block; margin: 0.5rem 0; text-decoration: none; background: var(--accent); border-color: var(--accent); color: var(--paper); }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--paper); }
button.quiet { font-weight: 400; padding: 0.25rem 0.7rem; border-color: var(--line); }
button:hover:not(:disabled) { filter: brightness(1.08); }
button:disabled { opacity: 0.55; cursor: progress; }
fieldset { border: 0; margin: 1.25rem 0 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
.choice { display: flex; gap: 0.5rem; align-items: baseline; margin: 0.25rem 0; }
.field { margin: 0.9rem 0; }
.field > label { display: block; font-weight: 600; }
.field input:not([type="checkbox"]), .field select, .field textarea { width: 100%; font: inherit; padding: 0.45rem 0.6rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--paper); color: var(--ink); }
.field [aria-invalid] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.problem { margin: 0.25rem 0 0; color: var(--bad); font-size: 0.9rem; }
fieldset:not(:has(input[value="custom"]:checked)) > [data-custom] { display: none; }
.hint { color: var(--soft); font-size: 0.875rem; margin: 0.1rem 0 0.25rem; }
#status:not(:empty) { margin: 0 0 1.25rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 8px; }
#status.bad { border-left-color: var(--bad); background: var(--bad-panel); }
.inbox { list-style: none; padding: 0; }
.inbox li { margin: 0.75rem 0; padding: 0.8rem 1.1rem; border: 1px solid var(--line); border-left: 4px solid var(--edge); border-radius: 10px; overflow-wrap: anywhere; }
.inbox li.effect-destroy { border-left-color: var(--bad); }
.inbox li > a { font-weight: 600; }
.inbox p { margin: 0.25rem 0 0; }
.inbox .soft { font-size: 0.875rem; }
@media (max-width: 30rem) {
  .approve { padding: 1.5rem 1rem 4rem; }
  .ask { padding: 1rem 1rem 1.25rem; }
  .facts, .args { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd, .args dd { margin-bottom: 0.6rem; }
  .actions button { flex: 1; }
}
`)
