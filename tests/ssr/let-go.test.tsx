// @vitest-environment node
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import type { RenderCall } from '../../machines/model/store/server-rendering.ts';
import { render } from '../../src/ssr/render.tsx';
import { createFakeResponse } from './support/held-render.ts';

// As in the server build.
vi.mock('../../src/views/purifier.ts', () => import('../../src/ssr/purifier.ts'));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Renders a page. @returns a weak reference to the function for its calls, which its machines hold
 */
async function renderOnce(path: string): Promise<WeakRef<object>> {
  const { origin, pathname, search } = new URL(path, 'https://antares.example');
  const config = { apiBase: '/api', storeId: 'Antares' };
  const call = async (renderCall: RenderCall) => createFakeResponse('Antares', renderCall);
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
    const callReference = await renderOnce(path);
    await renderOnce(path);
    await expect
      .poll(() => {
        collectGarbage();
        return callReference.deref() === undefined;
      })
      .toBe(true);
  },
);
