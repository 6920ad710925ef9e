import type { PlanDocument, PlanStep, PlanTest } from './document.ts';
import { planStyle } from './html-style.ts';
import { doers, howTo, rowsShown, summaryOf } from './summary.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as HTML shows it, in an element or in a quoted attribute; what stands between backquotes is code. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign).replace(/`([^`]+)`/g, '<code>$1</code>');

const seen = (lines: string[]): string => `<ul class="sees">${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;

const shown = (rows: string[]): string => `<span class="rows">${escaped(rowsShown(rows))}</span>`;

const stepHtml = ({ number, by, does, sees, spec }: PlanStep): string =>
  `<li><span class="number">${number}</span><div><span class="by by-${by}">${doers[by]}</span>${escaped(does)}${shown(spec)}${seen(sees)}</div></li>`;

const testHtml = ({ number, given, spec, sees, steps }: PlanTest): string => `
<section class="test" id="test-${number}">
<h2>Test ${number}</h2>
<div class="start"><p><strong>Start:</strong> ${escaped(given)}${shown(spec)}</p>${seen(sees)}</div>
${steps.length > 0 ? `<ol class="steps">${steps.map(stepHtml).join('\n')}</ol>` : ''}
</section>`;

const indexHtml = (tests: PlanTest[]): string =>
  tests.length < 2
    ? ''
    : `<nav aria-label="Tests"><ol class="index">${tests.map(({ number }) => `<li><a href="#test-${number}">${number}</a></li>`).join('')}</ol></nav>`;

const leftOutHtml = (names: string[]): string =>
  names.length === 0
    ? ''
    : `<div class="left-out"><strong>Left out</strong><ul>${names.map((name) => `<li><code>${escaped(name)}</code></li>`).join('')}</ul></div>`;

/** A plan as a page of its own, to be read on any screen or printed: nothing is fetched, nothing runs. */
export const htmlOf = (document: PlanDocument): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(document.title)}: test plan</title>
<style>${planStyle}</style>
</head>
<body>
<header>
<h1>${escaped(document.title)}</h1>
<p>${escaped(document.about)}</p>
<p class="summary">Machine <code>${escaped(document.machine)}</code>: ${escaped(summaryOf(document))}</p>
<p class="summary">${escaped(howTo)}</p>
${document.walks ? '' : leftOutHtml(document.uncovered)}
${indexHtml(document.tests)}
</header>
<main>${document.tests.map(testHtml).join('\n')}
</main>
</body>
</html>
`;
