// The style of the approval page, on top of that of all pages.
import { pageStyleSheet } from "./session-response.ts"

export const approveStyle = pageStyleSheet(`
.approve { max-width: 50rem; margin: 0 auto; padding: 2rem 1.25rem 5rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 2rem; font-size: 0.9rem; }
.ask { margin: 1.5rem 0; padding: 1.25rem 1.5rem 1.5rem; border: 1px solid var(--line); border-radius: 12px; background: var(--panel); }
.ask h2 { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
.approve pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.approve pre.outcome { max-height: 32rem; overflow: auto; }
.approve h1:focus { outline: none; }
.ask pre { background: var(--paper); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0.75rem 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.destroy { color: var(--bad); font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.25rem; }
button { font: inherit; font-weight: 600; padding: 0.55rem 1.1rem; border-radius: 8px; border: 1px solid var(--line); background: var(--paper); color: var(--ink); cursor: pointer; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--paper); }
button.quiet { font-weight: 400; padding: 0.25rem 0.7rem; }
button:hover:not(:disabled) { filter: brightness(1.08); border-color: var(--soft); }
button:disabled { opacity: 0.55; cursor: progress; }
fieldset { border: 0; margin: 1rem 0 0; padding: 0; }
legend { padding: 0; font-weight: 600; }
.choice { display: flex; gap: 0.5rem; align-items: baseline; margin: 0.25rem 0; }
.field { margin: 0.9rem 0; }
.field > label { display: block; font-weight: 600; }
.field input:not([type="checkbox"]), .field select, .field textarea { width: 100%; font: inherit; padding: 0.45rem 0.6rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: var(--ink); }
.hint { color: var(--soft); font-size: 0.875rem; margin: 0.1rem 0 0.25rem; }
#status:not(:empty) { margin: 1rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 8px; }
#status.bad { border-left-color: var(--bad); }
.inbox { list-style: none; padding: 0; }
.inbox li { padding: 0.9rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
`)
