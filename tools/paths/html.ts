import { createHash } from 'node:crypto';
import type { Order, PlanDocument, PlanStep, PlanTest } from './plan-document.ts';
import { runPlan, type PlanInPage } from './html-script.ts';
import { planStyle } from './html-style.ts';
import { beforeText, broughtAbout, doers, howTo, leftOut, planName, rowsShown, summaryOf } from './summary.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as HTML shows it, in an element or in a quoted attribute. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** The same in an element, where what stands between backquotes is code. */
const withCode = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** What must be seen after a step, each with a box to tick, and what came of the step. */
const looked = (id: string, lines: string[]): string => {
  const boxes = lines.map((line, at) => `<li><label><input type="checkbox" name="${id}.${at}"> ${withCode(line)}</label></li>`);
  const [test, step] = id.split('.');
  const of = step === '0' ? `the start of test ${test}` : `step ${step} of test ${test}`;
  return `<ul class="sees">${boxes.join('')}</ul>
<div class="outcome"><select name="${id}.result" aria-label="Result of ${of}"><option value="">Not done</option><option value="passed">Passed</option><option value="failed">Failed</option><option value="blocked">Blocked</option></select>
<textarea name="${id}.note" rows="1" aria-label="Note on ${of}" placeholder="Note"></textarea></div>`;
};

const shown = (rows: string[]): string => `<span class="rows">${escaped(rowsShown(rows))}</span>`;

const beforeHtml = (at: number, before: readonly Order[]): string =>
  before
    .map((order) => beforeText(at, order))
    .map(({ label, does }) => `<p class="before"><strong>${label}</strong> ${withCode(does)}</p>`)
    .join('');

const answerHtml = ({ call, body }: PlanStep['answers'][number]): string =>
  `<details class="answer"><summary>If the server answers otherwise: an override of <code>${escaped(call)}</code></summary><pre>${escaped(body)}</pre></details>`;

const stepHtml = (test: number, { number, by, does, before, answers, sees, spec }: PlanStep): string =>
  `<li data-step="${test}.${number}"><span class="number">${number}</span><div>${beforeHtml(number, before)}<span class="by by-${by}">${doers[by]}</span>${withCode(does)}${shown(spec)}${looked(`${test}.${number}`, sees)}${answers.map(answerHtml).join('')}</div></li>`;

const testHtml = ({ number, given, before, spec, sees, steps }: PlanTest): string => `
<section class="test" id="test-${number}">
<h2>Test ${number}</h2>
<div class="start" data-step="${number}.0">${beforeHtml(0, before)}<p><strong>Start:</strong> ${withCode(given)}${shown(spec)}</p>${looked(`${number}.0`, sees)}</div>
${steps.length > 0 ? `<ol class="steps">${steps.map((step) => stepHtml(number, step)).join('\n')}</ol>` : ''}
</section>`;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

const script = `(${String(runPlan)})();`;

/** The plan as its page's script knows it. */
const inPage = (document: PlanDocument): string => {
  const steps = document.tests.flatMap(({ number: test, given, steps: own }) => [
    { test, step: 0, by: 'Start', does: given },
    ...own.map(({ number, by, does }) => ({ test, step: number, by: doers[by], does })),
  ]);
  const plan = planName(document);
  const known: PlanInPage = { machine: document.machine, plan, key: `${plan} ${hashOf(JSON.stringify(document.tests))}`, steps };
  return JSON.stringify(known).replaceAll('<', '\\u003c');
};

const indexHtml = (tests: PlanTest[]): string =>
  tests.length < 2
    ? ''
    : `<nav aria-label="Tests"><ol class="index">${tests.map(({ number }) => `<li><a href="#test-${number}">${number}</a></li>`).join('')}</ol></nav>`;

const leftOutHtml = ([title, names]: [string, string[]]): string =>
  `<div class="left-out"><strong>${escaped(title)}</strong><ul>${names.map((name) => `<li><code>${escaped(name)}</code></li>`).join('')}</ul></div>`;

const broughtAboutHtml = (document: PlanDocument): string =>
  `<details class="causes"><summary>Answers that do not come by themselves, and how to bring them about</summary><dl>${broughtAbout(
    document,
  )
    .map(({ says, how }) => `<dt>${withCode(says)}</dt><dd>${withCode(how)}</dd>`)
    .join('')}</dl></details>`;

/**
 * A plan as a page of its own, to be walked on any screen or printed. It fetches nothing; its one script keeps what the tester
 * ticks, chooses and writes, and nothing else can run.
 */
export const htmlOf = (document: PlanDocument): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hashOf(script)}'">
<title>${escaped(document.title)}: test plan</title>
<style>${planStyle}</style>
</head>
<body>
<header>
<h1>${escaped(document.title)}</h1>
<p>${withCode(document.about)}</p>
<p class="summary">Machine <code>${escaped(document.machine)}</code>: ${escaped(summaryOf(document))}</p>
<p class="summary">${withCode(howTo)}</p>
${leftOut(document).map(leftOutHtml).join('')}
${broughtAboutHtml(document)}
${indexHtml(document.tests)}
</header>
<div class="bar"><output id="progress"></output><button type="button" data-action="json">Save as JSON</button><button type="button" data-action="csv">Save as CSV</button><button type="button" data-action="clear">Clear</button></div>
<main><form autocomplete="off">${document.tests.map(testHtml).join('\n')}
</form></main>
<script type="application/json" id="plan">${inPage(document)}</script>
<script>${script}</script>
</body>
</html>
`;
