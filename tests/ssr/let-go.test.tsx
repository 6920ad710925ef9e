// @vitest-environment node
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import type { RenderCall } from '../../machines/model/store/server-rendering.ts';
import { render } from '../../src/ssr/render.tsx';
import { fakeAnswer } from './support/held-render.ts';

// As in the server build.
vi.mock('../../src/views/purifier.ts', () => import('../../src/ssr/purifier.ts'));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Renders a page. @returns the function that answered its calls, which its machines reference */
async function renderOnce(path: string): Promise<WeakRef<object>> {
  const { origin, pathname, search } = new URL(path, 'https://antares.example');
  const config = { apiBase: '/api', storeId: 'Antares' };
  const call = async (asked: RenderCall) => fakeAnswer('Antares', asked);
  const rendered = await render({ config, origin, pathname, search, language: 'en', look: '', supportEmail: '' }, call, 60_000);
  expect(rendered?.html).toContain('Antares');
  return new WeakRef(call);
}

test.each(['/', '/all', '/all?search=Antares', '/id:1', '/pages/public/help', '/campaign/c1', '/subscription', '/about'])(
  'the machines of %s are garbage-collected after the server has rendered it',
  async (path) => {
    // A module loaded during a rendering may reference that page, and React's contexts reference
    // the last page: one page each at most.
    await renderOnce(path);
    const answering = await renderOnce(path);
    await renderOnce(path);
    await expect
      .poll(() => {
        collectGarbage();
        return answering.deref() === undefined;
      })
      .toBe(true);
  },
);
