import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { traceIn } from '../../machines/trace/trace-in.ts';
import { play } from '../../machines/trace/player.ts';
import { Customer } from '../browser/customer.ts';
import { recordedTrace } from '../browser/recorded-trace.ts';
import { browserLaunch } from '../shop/browser.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { brief } from './brief.ts';
import { printed } from './print.ts';
import { isRefusal } from './refusal.ts';
import { reportOf } from './report.ts';
import { plainPaint } from './text.ts';
import { writeTest } from './to-test.ts';
import { adminToken, visits, type Visit } from './visits.ts';

/*
 * Records the sample visits of tests/traces anew, in a real browser and from the shop as it is built, and writes what support
 * reads of them: node tools/start/run.mjs tools/replay/record.ts [NAME…]. Each takes as long as a customer would.
 */
const root = join(import.meta.dirname, '../..');

const recorded = async (browser: Browser, shop: RunningShop, { signedIn, play: visit }: Visit): Promise<Trace> => {
  const context = await browser.newContext({ baseURL: shop.url, viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
  const customer = await Customer.signUp(shop);
  if (signedIn) await customer.uses(context);
  const page = await context.newPage();
  await visit({ page, customer, server: shop, reads: (seconds) => page.waitForTimeout(seconds * 1000) });
  const text = await recordedTrace(page);
  await context.close();
  if (text === null) throw new Error('The page has kept no record.');
  return traceIn(JSON.parse(text) as Trace);
};

const explained = { name: 'declined-then-paid', page: join(root, 'docs/replaying-a-trace.md') };

/** The page that explains records shows one of them as it is printed. */
const showInDocs = async (name: string, text: string): Promise<void> => {
  if (name !== explained.name) return;
  const page = await readFile(explained.page, 'utf8');
  await writeFile(
    explained.page,
    page.replace(/(?<=^```\n)Who  [^`]*(?=^```$)/m, () => `${text}\n`),
  );
};

const wanted = process.argv.slice(2);
const shop = await startShop({ env: { PASSWORD_COST: '1024', ADMIN_TOKEN: adminToken } });
const browser = await chromium.launch(await browserLaunch());
try {
  for (const visit of visits.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const trace = await recorded(browser, shop, visit);
    const report = reportOf(`${visit.name}.json`, trace, play(shopMachine, trace), []);
    if (!report.identical) throw new Error(`${visit.name} is not replayed to the same states.`);
    const result = await writeTest(root, visit.name, trace, { force: true });
    if (isRefusal(result)) throw new Error(result.refused);
    const timeline = `tests/traces/${visit.name}.txt`;
    await writeFile(join(root, timeline), `${brief(report, plainPaint).join('\n')}\n`);
    await showInDocs(visit.name, printed(report, plainPaint, { full: false }));
    console.log(`Written: ${[...result.written, timeline].join(', ')}`);
  }
} finally {
  await browser.close();
  await shop.remove();
}
