import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';

const title = `<!doctype html><title>t</title><button id="on">on</button><script>
  let reached = []
  try { reached.push(parent.document.title) } catch { reached.push('walled off') }
  try { reached.push(localStorage.length) } catch { reached.push('no storage') }
  document.body.dataset.reached = reached.join()
  const tell = (message) => parent.postMessage(message, '*')
  tell({ type: 'progress', node: new URLSearchParams(location.hash.slice(1)).get('node') ?? 'start' })
  tell({ type: 'progress', node: 7 }); tell('nonsense'); tell({ type: 'signedIn', token: 'x' })
  on.onclick = () => { tell({ type: 'progress', node: 'end', totalProgression: 0.75 }); tell({ type: 'done' }) }
</script>`;

test('an interactive title reports its place from its sandbox, and no other message is accepted', async ({ page, server }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-play-'));
  await writeFile(join(folder, 'index.html'), title);
  await page.goto('/');
  const facts = () => page.evaluate(() => window.reader.facts);
  await page.evaluate(
    (url) => window.reader.openInteractive({ url, start: 'the quay' }),
    server.mediaUrl(join(folder, 'index.html')),
  );
  await expect
    .poll(async () => (await facts()).toSorted((a, b) => a.type.localeCompare(b.type)))
    .toEqual([{ type: 'interactive.moved', node: 'the quay', totalProgression: 0 }, { type: 'interactive.ready' }]);

  const inside = page.frameLocator('#mount-point iframe');
  expect(await inside.locator('body').getAttribute('data-reached')).toBe('walled off,no storage');
  await inside.locator('#on').click();
  await page.evaluate(() => window.postMessage({ type: 'progress', node: 'forged' }, '*'));
  await expect
    .poll(async () => (await facts()).slice(2))
    .toEqual([
      { type: 'interactive.moved', node: 'end', totalProgression: 0.75 },
      { type: 'interactive.moved', node: 'end', totalProgression: 1 },
      { type: 'interactive.ended' },
    ]);
  await page.evaluate(() => window.reader.close());
  expect(await page.locator('#mount-point > *').count()).toBe(0);
  await rm(folder, { recursive: true });
});

test('a missing title fails with the reason', async ({ page, server }) => {
  await page.goto('/');
  await page.evaluate((url) => window.reader.openInteractive({ url, start: null }), server.mediaUrl(join(tmpdir(), 'gone.html')));
  await expect
    .poll(() => page.evaluate(() => window.reader.facts))
    .toMatchObject([{ type: 'interactive.failed', problem: { kind: 'http', status: 404 } }]);
});
