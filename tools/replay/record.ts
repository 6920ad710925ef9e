import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { Customer } from '../../tests/e2e/pages/customer.ts';
import { recordedTrace } from '../../tests/e2e/pages/recorded-trace.ts';
import { browserLaunch } from '../shop/browser.ts';
import { startShop } from '../shop/running-shop.ts';
import { visits } from './visits.ts';

/*
 * Records the visits anew that tests/traces holds, from the shop as it is built in a real browser:
 * node tools/start/run.mjs tools/replay/record.ts [NAME…]. Each takes as long as a customer would.
 */
const wanted = process.argv.slice(2);
const folder = process.env['TRACES'] ?? join(import.meta.dirname, '../../tests/traces');
await mkdir(folder, { recursive: true });
const shop = await startShop({ env: { PASSWORD_COST: '1024' } });
const browser = await chromium.launch(await browserLaunch());
try {
  for (const { name, signedIn, play } of visits) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const context = await browser.newContext({ baseURL: shop.url, viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
    const customer = await Customer.signUp(shop);
    if (signedIn) await customer.uses(context);
    const page = await context.newPage();
    await play({ page, customer, reads: (seconds) => page.waitForTimeout(seconds * 1000) });
    await writeFile(join(folder, `${name}.json`), (await recordedTrace(page)) ?? '');
    console.log(`Recorded: ${name}`);
    await context.close();
  }
} finally {
  await browser.close();
  await shop.remove();
}
