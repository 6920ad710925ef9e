/** Styles of a plan: one column, readable on a phone, plain on paper. */
export const planStyle = `
:root { color-scheme: light; --ink: #1d2433; --soft: #5a6478; --line: #d9dee8; --wash: #f5f7fa; --mark: #0b6b5d; }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 4rem; background: var(--wash); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; overflow-wrap: anywhere; }
main, header { max-width: 46rem; margin: 0 auto; }
h1 { margin: 0; font-size: clamp(1.6rem, 6vw, 2.25rem); line-height: 1.15; letter-spacing: -0.01em; }
h2 { margin: 0; font-size: 1.15rem; }
p { margin: 0.5rem 0 0; }
code { font: 0.9em ui-monospace, 'SF Mono', Menlo, monospace; }
.summary { color: var(--soft); }
.index { display: flex; flex-wrap: wrap; gap: 0.375rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.index a { display: block; min-width: 2.5rem; padding: 0.375rem 0.5rem; border: 1px solid var(--line); border-radius: 0.5rem;
  background: #fff; color: var(--ink); text-align: center; text-decoration: none; font-variant-numeric: tabular-nums; }
.index a:hover, .index a:focus-visible { border-color: var(--mark); color: var(--mark); }
.left-out { margin-top: 1rem; padding: 0.75rem 1rem; border-left: 4px solid #b3401f; background: #fff; }
.left-out ul { margin: 0.25rem 0 0; padding-left: 1.25rem; }
.causes { margin-top: 1rem; }
.causes summary { cursor: pointer; padding: 0.25rem 0; }
.causes dt { margin-top: 0.5rem; font-weight: 600; }
.causes dd { margin: 0; }
.test { margin-top: 1.25rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: #fff; }
.start { margin-top: 0.75rem; padding: 0.75rem 1rem; border-radius: 0.5rem; background: var(--wash); }
.start p { margin: 0; }
ol.steps { margin: 0; padding: 0; list-style: none; }
ol.steps > li { display: grid; grid-template-columns: 2rem minmax(0, 1fr); padding: 0.875rem 0; border-bottom: 1px solid var(--line); }
ol.steps > li:last-child { padding-bottom: 0; border-bottom: 0; }
.number { color: var(--soft); font-variant-numeric: tabular-nums; }
.by { display: inline-block; margin-right: 0.375rem; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 1rem;
  color: var(--soft); font-size: 0.8125rem; line-height: 1.6; }
.by-you { border-color: var(--mark); background: var(--mark); color: #fff; }
.rows { color: var(--soft); font-size: 0.8125rem; }
.before { margin: 0 0 0.375rem; padding-left: 0.625rem; border-left: 3px solid var(--mark); }
.answer { margin-top: 0.5rem; color: var(--soft); font-size: 0.875rem; }
.answer summary { cursor: pointer; }
.answer pre { margin: 0.25rem 0 0; padding: 0.5rem; background: var(--wash); color: var(--ink); white-space: pre-wrap; }
.sees { margin: 0.5rem 0 0; padding: 0; list-style: none; }
.sees li { margin-top: 0.25rem; }
.sees label { display: grid; grid-template-columns: 1.125rem minmax(0, 1fr); gap: 0.625rem; cursor: pointer; }
.sees input { width: 1.125rem; height: 1.125rem; margin: 0.1875rem 0 0; accent-color: var(--mark); }
.outcome { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.5rem; }
.outcome select, .outcome textarea, .bar button { padding: 0.25rem 0.5rem; border: 1px solid var(--soft); border-radius: 0.375rem;
  background: #fff; color: inherit; font: inherit; font-size: 0.875rem; }
.outcome textarea { flex: 1 1 12rem; min-height: 2rem; resize: vertical; field-sizing: content; }
[data-result=passed] select { border-color: var(--mark); color: var(--mark); font-weight: 600; }
[data-result=failed] select { border-color: #b3401f; background: #b3401f; color: #fff; font-weight: 600; }
[data-result=blocked] select { border-color: #8a5a00; color: #8a5a00; font-weight: 600; }
.bar { position: sticky; top: 0; z-index: 1; display: none; flex-wrap: wrap; align-items: center; gap: 0.5rem; max-width: 46rem;
  margin: 1.25rem auto 0; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: #fff; }
[data-runs] .bar { display: flex; }
.bar output { flex: 1 1 16rem; font-variant-numeric: tabular-nums; }
.bar output[data-unkept]::after { content: ' This browser keeps nothing: save before closing.'; color: #b3401f; }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
.test, .start, ol.steps > li { scroll-margin-top: 5rem; }
@media (max-width: 30rem) { .test { padding: 1rem; } ol.steps > li { grid-template-columns: 1.5rem minmax(0, 1fr); } }
@media print {
  body { padding: 0; background: #fff; font-size: 10pt; }
  .index, [data-runs] .bar { display: none; }
  .answer { display: none; }
  .outcome textarea:placeholder-shown, [data-result=''] .outcome select { display: none; }
  .test { border: 0; border-top: 1px solid #000; border-radius: 0; padding: 0.75rem 0; }
  .start { padding: 0; background: none; }
  .by, .by-you { border: 0; padding: 0; background: none; color: var(--ink); font-weight: 600; }
  h2, .start { break-after: avoid; }
  ol.steps > li { break-inside: avoid; }
}
`;
