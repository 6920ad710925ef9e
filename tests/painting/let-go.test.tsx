// @vitest-environment node
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import type { PaintCall } from '../../machines/model/store/painting.ts';
import { paint } from '../../src/painting/paint.tsx';
import { answerOf } from './support/held-paint.ts';

// As in the build for the server.
vi.mock('../../src/views/purifier.ts', () => import('../../src/painting/purifier.ts'));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Renders a page. @returns the function that answered its calls, which its machines hold */
async function paintOnce(path: string): Promise<WeakRef<object>> {
  const { origin, pathname, search } = new URL(path, 'https://antares.example');
  const config = { apiBase: '/api', storeId: 'Antares' };
  const call = async (asked: PaintCall) => answerOf('Antares', asked);
  const painted = await paint({ config, origin, pathname, search, language: 'en', look: '', supportEmail: '' }, call, 60_000);
  expect(painted?.html).toContain('Antares');
  return new WeakRef(call);
}

test.each(['/', '/all', '/all?search=Antares', '/id:1', '/pages/public/help', '/campaign/c1', '/subscription', '/about'])(
  'the machines of %s leave memory after the server has rendered it',
  async (path) => {
    // A module that is loaded during a rendering may hold that page, and React's contexts hold the
    // last page: both are one page at most.
    await paintOnce(path);
    const answering = await paintOnce(path);
    await paintOnce(path);
    await expect
      .poll(() => {
        collectGarbage();
        return answering.deref() === undefined;
      })
      .toBe(true);
  },
);
