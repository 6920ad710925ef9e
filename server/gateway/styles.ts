/**
 * Styles of the gateway's pages: one column from 320 px width, light or dark by the visitor's
 * preference.
 */
export const styles = `
:root { color-scheme: light dark; --ink: #1b1f27; --quiet: #5a6270; --paper: #ffffff; --ground: #eef0f3; --line: #7d8694;
  --accent: #1f4fd8; --on-accent: #ffffff; --bad: #b3261e; --bad-ground: #fdeceb; --note: #f5f1e4 }
@media (prefers-color-scheme: dark) { :root { --ink: #eef0f4; --quiet: #aab2c0; --paper: #1c2028; --ground: #11141a;
  --line: #7b8494; --accent: #8fb0ff; --on-accent: #0c1430; --bad: #ffb4ab; --bad-ground: #3a1d1b; --note: #2a271c } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", sans-serif }
main { max-width: 27rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
.shop { color: var(--quiet); margin: 0 0 .75rem; font-weight: 600 }
.sheet { background: var(--paper); border-radius: .9rem; padding: 1.5rem; box-shadow: 0 1px 2px #0002, 0 12px 32px #0001 }
h1 { font-size: 1rem; font-weight: 500; margin: 0; overflow-wrap: anywhere }
.lead { font-size: 1.5rem; font-weight: 700; letter-spacing: -.01em }
.lead + p { margin: .1rem 0 1.25rem; color: var(--quiet) }
.amount { font-size: 2.1rem; font-weight: 700; letter-spacing: -.02em; margin: .1rem 0 1.25rem }
label { display: block; font-weight: 600; font-size: .9rem; margin: 1rem 0 .3rem }
input:not([type=checkbox]) { width: 100%; font: inherit; padding: .7rem .8rem; border: 1px solid var(--line);
  border-radius: .5rem; background: transparent; color: inherit }
input[aria-invalid=true] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad) }
.pair { display: grid; grid-template-columns: 1fr 1fr; grid-template-rows: auto auto auto; gap: 0 1rem }
.pair > div { display: grid; grid-template-rows: subgrid; grid-row: span 3; align-items: end }
.pair > div > .problem { align-self: start }
.keep { display: flex; gap: .6rem; align-items: center; font-weight: 400 }
.keep input { width: 1.15rem; height: 1.15rem; accent-color: var(--accent) }
.problem { color: var(--bad); font-size: .88rem; margin: .3rem 0 0 }
.alert { background: var(--bad-ground); color: var(--bad); border-radius: .5rem; padding: .75rem .9rem; margin: 0 0 1rem }
button { width: 100%; font: inherit; font-weight: 650; padding: .85rem 1rem; border-radius: .5rem; border: 1px solid transparent;
  cursor: pointer; margin-top: 1.4rem; background: var(--accent); color: var(--on-accent) }
a.button { display: block; text-align: center; text-decoration: none; font-weight: 650; padding: .85rem 1rem;
  border-radius: .5rem; margin-top: 1.4rem; background: var(--accent); color: var(--on-accent) }
button.quiet { background: transparent; color: inherit; border-color: var(--line); margin-top: .75rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.note { background: var(--note); border-radius: .9rem; padding: 1rem 1.25rem; margin-top: 1.25rem; font-size: .9rem }
.note h2 { font-size: .9rem; margin: .75rem 0 .25rem }
.note p { margin: 0 }
.note dl { margin: 0 }
.note dt { font-family: ui-monospace, monospace; font-size: .95rem; margin-top: .4rem }
.note dd { margin: 0; color: var(--quiet) }
`;
