import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createDocument } from '../../tools/paths/document.ts';
import { toHtml } from '../../tools/paths/html.ts';
import { exploreModelsInShop } from '../../tools/paths/in-shop.ts';
import { getBrowserLaunch } from '../../tools/shop/browser.ts';

const options = { criterion: 'transitions', walks: null, stop: null, maxLength: 25, format: 'html', out: null } as const;
const plan = createDocument('payment', await exploreModelsInShop('payment'), options);

/** Opens the plan's page from a file, as a tester does; returns it with its console messages. */
const openPlanPage = async (): Promise<{ page: Page; complaints: string[] }> => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-plan-'));
  const file = join(folder, 'payment.transitions.html');
  await writeFile(file, toHtml(plan));
  const browser = await chromium.launch(await getBrowserLaunch());
  onTestFinished(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });
  const page = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  await page.goto(pathToFileURL(file).href);
  return { page, complaints };
};

const downloadFile = async (page: Page, name: string): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  expect(download.suggestedFilename()).toBe(`payment.transitions.results.${name.endsWith('CSV') ? 'csv' : 'json'}`);
  return readFile(await download.path(), 'utf8');
};

test('ticks, choices and notes in a plan’s page are stored, counted and downloaded', async () => {
  const { page, complaints } = await openPlanPage();
  const count = plan.tests.reduce((sum, { steps }) => sum + steps.length + 1, 0);
  const progress = page.locator('#progress');
  const readProgress = async () => progress.textContent();
  expect(await readProgress()).toBe(`0 of ${count} starts and steps done: 0 passed, 0 failed, 0 blocked`);

  const firstStart = page.locator('[data-step="1.0"]');
  for (const box of await firstStart.getByRole('checkbox').all()) await box.check();
  expect(await page.getByLabel('Result of the start of test 1', { exact: true }).inputValue()).toBe('passed');
  await page.getByLabel('Result of step 1 of test 1', { exact: true }).selectOption('Failed');
  await page.getByLabel('Note on step 1 of test 1', { exact: true }).fill('=1+1 says “no”, "twice"');
  expect(await readProgress()).toBe(`2 of ${count} starts and steps done: 1 passed, 1 failed, 0 blocked`);

  const otherStart = page.locator('[data-step="2.0"]');
  await page.getByLabel('Result of the start of test 2', { exact: true }).selectOption('Passed');
  for (const box of await otherStart.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(true);
  await page.getByLabel('Result of the start of test 2', { exact: true }).selectOption('Not done');

  await page.getByText('Answers that do not come by themselves').click();
  expect(await page.getByRole('definition').count()).toBeGreaterThan(8);
  await expect.poll(() => page.getByRole('definition').getByText('4000 0000 0000 0002').isVisible()).toBe(true);

  const paidStep = page.locator('li[data-step]', { hasText: 'the status of the payment by the saved card: it is paid' }).first();
  await paidStep.getByText('If the server answers otherwise').first().click();
  expect(await paidStep.locator('pre').first().innerText()).toContain('"status":"paid"');
  expect(await page.getByText('Override payment/session').first().isVisible()).toBe(true);

  const otherTab = await page.context().newPage();
  await otherTab.goto(page.url());
  await otherTab.getByLabel('Result of step 1 of test 2', { exact: true }).selectOption('Blocked');
  await expect.poll(readProgress).toBe(`3 of ${count} starts and steps done: 1 passed, 1 failed, 1 blocked`);
  await otherTab.getByLabel('Result of step 1 of test 2', { exact: true }).selectOption('Not done');
  await expect.poll(readProgress).toBe(`2 of ${count} starts and steps done: 1 passed, 1 failed, 0 blocked`);
  await otherTab.close();

  await page.reload();
  await expect.poll(readProgress).toBe(`2 of ${count} starts and steps done: 1 passed, 1 failed, 0 blocked`);
  expect(await firstStart.getByRole('checkbox').first().isChecked()).toBe(true);

  const rows = (await downloadFile(page, 'Save as CSV')).split('\r\n');
  expect(rows).toHaveLength(count + 2);
  expect(rows[1]).toContain('"passed","",');
  const expectedTexts = plan.tests[0]?.steps[0]?.sees.join(' | ') ?? '';
  expect(rows[2]).toContain(`"failed","${expectedTexts}","'=1+1 says “no”, ""twice"""`);
  const json = JSON.parse(await downloadFile(page, 'Save as JSON')) as { machine: string; steps: object[] };
  expect(json).toMatchObject({ machine: 'payment', plan: 'payment.transitions' });
  expect(json.steps.slice(0, 2)).toMatchObject([
    { test: 1, step: 0, result: 'passed', sees: plan.tests[0]?.sees.map((text) => ({ text, seen: true })) },
    { test: 1, step: 1, result: 'failed', note: '=1+1 says “no”, "twice"' },
  ]);
  expect(json.steps[2]).toMatchObject({ result: 'not done' });

  await firstStart.getByRole('checkbox').first().uncheck();
  expect(await page.getByLabel('Result of the start of test 1', { exact: true }).inputValue()).toBe('');

  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.reload();
  await expect.poll(readProgress).toBe(`0 of ${count} starts and steps done: 0 passed, 0 failed, 0 blocked`);
  expect(complaints).toEqual([]);
});
