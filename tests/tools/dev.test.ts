import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createDevPages } from '../../tools/start/dev-pages.ts';
import { plantTree } from './support/tree.ts';

async function startDevServer(): Promise<string> {
  const root = await plantTree({
    'index.html': '<div id="root"></div><script type="module" src="/src/main.ts"></script>',
    // A cache of its own: the planted node_modules is the project's.
    'vite.config.ts': `export default { cacheDir: '.vite' }\n`,
    'src/main.ts': 'const words: string = "hello"\nconsole.log(words)\n',
  });
  const pages = await createDevPages(root);
  const app = fastify({ serverFactory: pages.serverFactory });
  onTestFinished(async () => {
    await pages.close();
    await app.close();
  });
  app.get('/api/plans', () => ({ plans: [] }));
  app.get('/config.json', () => ({ storeId: 'demo' }));
  return app.listen({ port: 0 });
}

test('one port serves the API and the pages from their sources', async () => {
  const url = await startDevServer();
  const fetchText = async (path: string): Promise<string> =>
    (await fetch(url + path, { headers: { accept: 'text/html, */*' } })).text();
  expect(await fetchText('/api/plans')).toBe('{"plans":[]}');
  expect(await fetchText('/config.json')).toBe('{"storeId":"demo"}');
  expect(await fetchText('/')).toContain('/@vite/client');
  expect((await fetch(url)).headers.get('permissions-policy')).toMatch(/\bcamera=\(\)/);
  expect(await fetchText('/id:7/some-title')).toContain('<div id="root">');
  expect(await fetchText('/src/main.ts')).toMatch(/^const words = "hello";/);
});

test('hot reload listens on the same port', async () => {
  const url = await startDevServer();
  const client = await (await fetch(`${url}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  onTestFinished(() => socket.close());
  const firstMessage = await new Promise((resolve, reject) => {
    socket.onmessage = (message) => resolve(JSON.parse(String(message.data)));
    socket.onerror = () => reject(new Error('The WebSocket failed.'));
  });
  expect(firstMessage).toEqual({ type: 'connected' });
});
