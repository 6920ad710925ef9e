import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';

const titleHtml = `<!doctype html><title>t</title><button id="on">on</button><script>
  let results = []
  try { results.push(parent.document.title) } catch { results.push('no parent') }
  try { results.push(localStorage.length) } catch { results.push('no storage') }
  document.body.dataset.reached = results.join()
  const send = (message) => parent.postMessage(message, '*')
  send({ type: 'progress', node: new URLSearchParams(location.hash.slice(1)).get('node') ?? 'start' })
  send({ type: 'progress', node: 7 }); send('nonsense'); send({ type: 'signedIn', token: 'x' })
  on.onclick = () => { send({ type: 'progress', node: 'end', totalProgression: 0.75 }); send({ type: 'done' }) }
</script>`;

test('an interactive title reports its position from its sandbox, other messages are ignored', async ({ page, server }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-play-'));
  await writeFile(join(folder, 'index.html'), titleHtml);
  await page.goto('/');
  const readFacts = () => page.evaluate(() => window.reader.facts);
  await page.evaluate(
    (url) => window.reader.openInteractive({ url, start: 'the quay' }),
    server.mediaUrl(join(folder, 'index.html')),
  );
  await expect
    .poll(async () => (await readFacts()).toSorted((a, b) => a.type.localeCompare(b.type)))
    .toEqual([{ type: 'interactive.moved', node: 'the quay', totalProgression: 0 }, { type: 'interactive.ready' }]);

  const titleFrame = page.frameLocator('#mount-point iframe');
  expect(await titleFrame.locator('body').getAttribute('data-reached')).toBe('no parent,no storage');
  await titleFrame.locator('#on').click();
  await page.evaluate(() => window.postMessage({ type: 'progress', node: 'forged' }, '*'));
  await expect
    .poll(async () => (await readFacts()).slice(2))
    .toEqual([
      { type: 'interactive.moved', node: 'end', totalProgression: 0.75 },
      { type: 'interactive.moved', node: 'end', totalProgression: 1 },
      { type: 'interactive.ended' },
    ]);
  await page.evaluate(() => window.reader.close());
  expect(await page.locator('#mount-point > *').count()).toBe(0);
  await rm(folder, { recursive: true });
});

test('a resumed title that ends without moving is saved as read to its end', async ({ page, server }) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-play-'));
  await writeFile(join(folder, 'index.html'), `<!doctype html><script>parent.postMessage({ type: 'done' }, '*')</script>`);
  await page.goto('/');
  await page.evaluate(
    (url) => window.reader.openInteractive({ url, start: 'the quay' }),
    server.mediaUrl(join(folder, 'index.html')),
  );
  await expect
    .poll(async () => (await page.evaluate(() => window.reader.facts)).filter(({ type }) => type !== 'interactive.ready'))
    .toEqual([{ type: 'interactive.moved', node: 'the quay', totalProgression: 1 }, { type: 'interactive.ended' }]);
  await rm(folder, { recursive: true });
});

test('a missing interactive title fails with the HTTP status', async ({ page, server }) => {
  await page.goto('/');
  await page.evaluate((url) => window.reader.openInteractive({ url, start: null }), server.mediaUrl(join(tmpdir(), 'gone.html')));
  await expect
    .poll(() => page.evaluate(() => window.reader.facts))
    .toMatchObject([{ type: 'interactive.failed', problem: { kind: 'http', status: 404 } }]);
});
