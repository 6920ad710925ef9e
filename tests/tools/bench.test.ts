import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createShiftPage, measureShifts } from '../../tools/bench/layout-shift.ts';
import { loadPage } from '../../tools/bench/page-load.ts';
import { computeMedian, isMissed, formatTable } from '../../tools/bench/rows.ts';
import { measureThroughput } from '../../tools/bench/throughput.ts';
import { getBrowserLaunch } from '../../tools/shop/browser.ts';

const busyScript = 'const end = performance.now() + 300; while (performance.now() < end);';
const incompressibleText = randomBytes(30_000).toString('base64');
const responses: Record<string, [string, string]> = {
  '/': ['text/html', '<h1>Words</h1><link rel="icon" href="data:,"><script src="/now.js" defer></script>'],
  '/moving': [
    'text/html',
    `<h1>Words</h1><p style="height: 100px">Below</p><script>setTimeout(() => {
      document.querySelector('p').style.marginTop = '200px';
      import('/frame-chunk-1.js');
    }, 300)</script>`,
  ],
  '/frame-chunk-1.js': ['text/javascript', 'export {};'],
  '/now.js': ['text/javascript', `setTimeout(() => { ${busyScript} import('/late.js') }, 100)`],
  '/late.js': ['text/javascript', `export const weight = '${incompressibleText}'`],
};

async function startServer(): Promise<string> {
  const server = createServer((request, response) => {
    const [type, body] = responses[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body);
  }).listen(0);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no TCP port.');
  return `http://localhost:${address.port}`;
}

test('a page’s weight includes its late scripts, and its long task is blocking time', async () => {
  const url = await startServer();
  const browser = await chromium.launch(await getBrowserLaunch());
  onTestFinished(() => browser.close());
  const load = await loadPage(browser, url);
  expect(load.scripts).toEqual(['now.js', 'late.js']);
  expect(load.requests).toBe(3);
  expect(load.scriptKb).toBeGreaterThan(30);
  expect(load.scriptKb).toBeLessThan(33);
  expect(load.firstPaint).toBeGreaterThan(0);
  expect(load.largestPaint).toBeGreaterThanOrEqual(load.firstPaint);
  expect(load.blocking).toBeGreaterThan(200);
});

test('a layout shift is reported with its element and with the old and the new position', async () => {
  const url = await startServer();
  const browser = await chromium.launch(await getBrowserLaunch());
  onTestFinished(() => browser.close());
  const page = await createShiftPage(await browser.newContext({ viewport: { width: 390, height: 844 } }));
  const { total, moved } = await measureShifts(page, `${url}/moving`);
  expect(total).toBeGreaterThan(0.01);
  expect(moved).toEqual([expect.stringMatching(/^<p> “Below” from .* to /)]);
});

test('the throughput counts answers, and fails at a URL that answers 404', async () => {
  const url = await startServer();
  const { perSecond } = await measureThroughput(url, 2, 100);
  expect(perSecond).toBeGreaterThan(0);
  await expect(measureThroughput(`${url}/gone`, 2, 100)).rejects.toThrow('answered 404');
});

test('a value above its limit fails, and so does a missing value', () => {
  const row = { name: 'scripts', unit: 'KB', limit: 140 };
  expect([139.9, 140, 140.1, Number.NaN].map((value) => isMissed({ ...row, value }))).toEqual([false, false, true, true]);
  expect(isMissed({ name: 'start', value: 9000, unit: 'ms' })).toBe(false);
  expect(formatTable([{ ...row, value: 150 }]).split('\n')[1]).toBe('scripts  150 KB    140 KB  MISSED');
});

test('the median of an even number of runs is the mean of the middle two', () => {
  expect([computeMedian([3, 1, 2]), computeMedian([4, 1, 3, 2])]).toEqual([2, 2.5]);
});
