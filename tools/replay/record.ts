import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';
import { play } from '../../machines/trace/player.ts';
import { Customer } from '../browser/customer.ts';
import { readRecordedTrace } from '../browser/recorded-trace.ts';
import { getBrowserLaunch } from '../shop/browser.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { formatNarrative } from './narrative-text.ts';
import { formatReport } from './print.ts';
import { isRefusal } from './refusal.ts';
import { createReport } from './report.ts';
import { plainColors } from './text.ts';
import { writeTest } from './to-test.ts';
import { adminToken, visits, type Visit } from './visits.ts';

/*
 * Records the sample visits of tests/traces in a real browser, against the built shop, and writes
 * their summaries: node tools/start/run.mjs tools/replay/record.ts [NAME…]. Each visit takes as
 * long as that of a real customer.
 */
const root = join(import.meta.dirname, '../..');

const recordVisit = async (browser: Browser, shop: RunningShop, { name, isSignedIn, play: visit }: Visit): Promise<Trace> => {
  const context = await browser.newContext({ baseURL: shop.url, viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
  const customer = await Customer.signUp(shop);
  if (isSignedIn) await customer.signInBrowser(context);
  const page = await context.newPage();
  await visit({ page, customer, server: shop, pause: (seconds) => page.waitForTimeout(seconds * 1000) });
  const text = await readRecordedTrace(page);
  await context.close();
  if (text === null) throw new Error(`${name}: the page has not recorded a trace.`);
  return traceFromJson(JSON.parse(text) as Trace);
};

const documentedVisit = { name: 'declined-then-paid', page: join(root, 'docs/replaying-a-trace.md') };

/** Updates the docs if they show the output for this visit. */
const showInDocs = async (name: string, text: string): Promise<void> => {
  if (name !== documentedVisit.name) return;
  const page = await readFile(documentedVisit.page, 'utf8');
  await writeFile(
    documentedVisit.page,
    page.replace(/(?<=^```\n)Who  [^`]*(?=^```$)/m, () => `${text}\n`),
  );
};

const requestedNames = process.argv.slice(2);
const shop = await startShop({ env: { PASSWORD_COST: '1024', ADMIN_TOKEN: adminToken } });
const browser = await chromium.launch(await getBrowserLaunch());
try {
  for (const visit of visits.filter(({ name }) => requestedNames.length === 0 || requestedNames.includes(name))) {
    const trace = await recordVisit(browser, shop, visit);
    const report = createReport(`${visit.name}.json`, trace, play(shopMachine, trace), []);
    if (!report.identical) throw new Error(`${visit.name}: the replay diverges from the recording.`);
    const result = await writeTest(root, visit.name, trace, { force: true });
    if (isRefusal(result)) throw new Error(result.refused);
    const timeline = `tests/traces/${visit.name}.txt`;
    await writeFile(join(root, timeline), `${formatNarrative(report, plainColors).join('\n')}\n`);
    await showInDocs(visit.name, formatReport(report, plainColors, { full: false }));
    console.log(`Written: ${[...result.written, timeline].join(', ')}`);
  }
} finally {
  await browser.close();
  await shop.remove();
}
