// The style of the HTML pages.

export const pageStyle = `
:root { --ink: #1b1d23; --soft: #5b6170; --line: #e3e5ea; --edge: #8a90a0; --paper: #fff; --panel: #f6f7f9; --accent: #4338ca; --good: #15803d; --warn: #92400e; --bad: #b91c1c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaf0; --soft: #9aa1b2; --line: #2b2f3a; --edge: #6b7283; --paper: #14161b; --panel: #1c1f26; --accent: #a5b4fc; --good: #4ade80; --warn: #fbbf24; --bad: #fca5a5; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.5rem; }
p { margin: 0.5rem 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.85em; }
code { overflow-wrap: anywhere; }
pre { margin: 0.5rem 0; padding: 0.75rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; }
pre code { overflow-wrap: inherit; font-size: 1em; }
.soft { color: var(--soft); }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; justify-content: space-between; padding: 0.75rem 1.25rem; border-bottom: 1px solid var(--line); font-size: 0.9rem; overflow-wrap: anywhere; }
.bar > * { min-width: 0; }
.bar nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; }
.bar nav a { color: inherit; text-decoration: none; }
.bar nav a:hover { text-decoration: underline; }
.brand { display: inline-flex; gap: 0.5rem; align-items: center; font-weight: 650; }
.home { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
.links { padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; }
.docs { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
.docs nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 2rem 1.25rem; border-right: 1px solid var(--line); font-size: 0.875rem; }
.docs nav ul { list-style: none; margin: 0.25rem 0 1rem; padding: 0; }
.docs nav a { display: block; padding: 0.15rem 0.5rem; color: inherit; text-decoration: none; border-radius: 6px; }
.docs nav a:hover { background: var(--panel); }
#find { width: 100%; font: inherit; padding: 0.45rem 0.6rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--paper); color: var(--ink); }
#contents > summary { margin-bottom: 0.5rem; }
.docs main { padding: 2rem 2rem 6rem; }
.docs section { padding: 1.25rem 0; border-top: 1px solid var(--line); }
.docs section > h3:first-child { margin-top: 0; font-size: 1.05rem; }
.path { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: baseline; font-weight: 600; }
.method { min-width: 4.2rem; font-weight: 700; color: var(--accent); }
.method-get { color: var(--good); }
.method-delete { color: var(--bad); }
.method-patch { color: var(--warn); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.4rem 1rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
td:first-child { white-space: nowrap; }
details { margin-top: 0.75rem; }
summary { cursor: pointer; color: var(--soft); }
@media (max-width: 52rem) {
  .docs { display: block; }
  .docs nav { position: sticky; z-index: 1; max-height: 80vh; background: var(--paper); padding: 0.75rem 1.25rem; border-right: 0; border-bottom: 1px solid var(--line); }
  .docs main { padding: 1.5rem 1.25rem 4rem; }
  html { scroll-padding-top: 7rem; }
}
@media (max-width: 30rem) {
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0; border: 0; }
  td:first-child { white-space: normal; font-weight: 600; }
  .home { padding-top: 1.75rem; }
}
`
