import { createHash } from 'node:crypto';
import type { PreparationTask, PlanDocument, PlanStep, PlanTest } from './plan-document.ts';
import { runPlan, type PlanInPage } from './html-script.ts';
import { planStyle } from './html-style.ts';
import {
  formatPreparation,
  findCauses,
  actorNames,
  INSTRUCTIONS,
  findUncovered,
  getPlanName,
  formatRowIds,
  formatSummary,
} from './summary.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for an element or a quoted attribute. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** Escapes a text for an element, with text in backquotes as code. */
const formatCode = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The expected lines after a step, each with a checkbox, and the fields for its result. */
const formatChecklist = (id: string, lines: string[]): string => {
  const boxes = lines.map((line, at) => `<li><label><input type="checkbox" name="${id}.${at}"> ${formatCode(line)}</label></li>`);
  const [test, step] = id.split('.');
  const subject = step === '0' ? `the start of test ${test}` : `step ${step} of test ${test}`;
  return `<ul class="sees">${boxes.join('')}</ul>
<div class="outcome"><select name="${id}.result" aria-label="Result of ${subject}"><option value="">Not done</option><option value="passed">Passed</option><option value="failed">Failed</option><option value="blocked">Blocked</option></select>
<textarea name="${id}.note" rows="1" aria-label="Note on ${subject}" placeholder="Note"></textarea></div>`;
};

const formatRows = (rows: string[]): string => `<span class="rows">${escapeHtml(formatRowIds(rows))}</span>`;

const formatTasks = (stepNumber: number, before: readonly PreparationTask[]): string =>
  before
    .map((task) => formatPreparation(stepNumber, task))
    .map(({ label, does }) => `<p class="before"><strong>${label}</strong> ${formatCode(does)}</p>`)
    .join('');

const formatStubResponse = ({ call, body }: PlanStep['answers'][number]): string =>
  `<details class="answer"><summary>If the server answers otherwise: an override of <code>${escapeHtml(call)}</code></summary><pre>${escapeHtml(body)}</pre></details>`;

const formatStep = (test: number, { number, by, does, before, answers, sees, spec }: PlanStep): string =>
  `<li data-step="${test}.${number}"><span class="number">${number}</span><div>${formatTasks(number, before)}<span class="by by-${by}">${actorNames[by]}</span>${formatCode(does)}${formatRows(spec)}${formatChecklist(`${test}.${number}`, sees)}${answers.map(formatStubResponse).join('')}</div></li>`;

const formatTest = ({ number, given, before, spec, sees, steps }: PlanTest): string => `
<section class="test" id="test-${number}">
<h2>Test ${number}</h2>
<div class="start" data-step="${number}.0">${formatTasks(0, before)}<p><strong>Start:</strong> ${formatCode(given)}${formatRows(spec)}</p>${formatChecklist(`${number}.0`, sees)}</div>
${steps.length > 0 ? `<ol class="steps">${steps.map((step) => formatStep(number, step)).join('\n')}</ol>` : ''}
</section>`;

const hashText = (text: string): string => createHash('sha256').update(text).digest('base64');

const script = `(${String(runPlan)})();`;

/** The plan's data for its page's script. */
const toPlanInPage = (document: PlanDocument): string => {
  const steps = document.tests.flatMap(({ number: test, given, steps: testSteps }) => [
    { test, step: 0, by: 'Start', does: given },
    ...testSteps.map(({ number, by, does }) => ({ test, step: number, by: actorNames[by], does })),
  ]);
  const plan = getPlanName(document);
  const planData: PlanInPage = {
    machine: document.machine,
    plan,
    key: `${plan} ${hashText(JSON.stringify(document.tests))}`,
    steps,
  };
  return JSON.stringify(planData).replaceAll('<', '\\u003c');
};

const formatIndex = (tests: PlanTest[]): string =>
  tests.length < 2
    ? ''
    : `<nav aria-label="Tests"><ol class="index">${tests.map(({ number }) => `<li><a href="#test-${number}">${number}</a></li>`).join('')}</ol></nav>`;

const formatUncovered = ([title, names]: [string, string[]]): string =>
  `<div class="left-out"><strong>${escapeHtml(title)}</strong><ul>${names.map((name) => `<li><code>${escapeHtml(name)}</code></li>`).join('')}</ul></div>`;

const formatCauses = (document: PlanDocument): string =>
  `<details class="causes"><summary>Answers that do not come by themselves, and how to bring them about</summary><dl>${findCauses(
    document,
  )
    .map(({ planText, how }) => `<dt>${formatCode(planText)}</dt><dd>${formatCode(how)}</dd>`)
    .join('')}</dl></details>`;

/**
 * A plan as a standalone page, for any screen or for print. It fetches nothing; its one script
 * saves the tester's input, and the content security policy blocks any other.
 */
export const toHtml = (document: PlanDocument): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hashText(script)}'">
<title>${escapeHtml(document.title)}: test plan</title>
<style>${planStyle}</style>
</head>
<body>
<header>
<h1>${escapeHtml(document.title)}</h1>
<p>${formatCode(document.about)}</p>
<p class="summary">Machine <code>${escapeHtml(document.machine)}</code>: ${escapeHtml(formatSummary(document))}</p>
<p class="summary">${formatCode(INSTRUCTIONS)}</p>
${findUncovered(document).map(formatUncovered).join('')}
${formatCauses(document)}
${formatIndex(document.tests)}
</header>
<div class="bar"><output id="progress"></output><button type="button" data-action="json">Save as JSON</button><button type="button" data-action="csv">Save as CSV</button><button type="button" data-action="clear">Clear</button></div>
<main><form autocomplete="off">${document.tests.map(formatTest).join('\n')}
</form></main>
<script type="application/json" id="plan">${toPlanInPage(document)}</script>
<script>${script}</script>
</body>
</html>
`;
