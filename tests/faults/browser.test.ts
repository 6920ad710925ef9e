import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const pageScript = `
  import { installBrowserGlobals } from ${JSON.stringify(new URL('browser.ts', import.meta.url).href)};
  installBrowserGlobals('http://localhost', () => Promise.reject(new Error('offline')), '');
  new BroadcastChannel('cart').onmessage = () => undefined;
  console.log('opened');
`;

test('a channel that a page leaves open does not keep the process running', async () => {
  const execution = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', pageScript], { timeout: 20_000 });
  expect((await execution).stdout).toBe('opened\n');
});
