import { expect, type Route } from '@playwright/test';
import type { SignedInUser } from '../../../../machines/app/session.ts';
import { password } from '../../../browser/customer.ts';
import { forcePropertiesRequest } from '../../../browser/wire.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { waitForFrame, changeOtherTabSession, getNextSettlement, wakeFrameWithPausedClock } from '../../causes.ts';
import type { BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { json, toProblemResponse } from '../../wires.ts';
import { changeAddress } from '../../flows/account/adapter-helpers.ts';
import { models } from '../../../../machines/path-models/shell/session/paths.ts';

const isFailure = (event: { type: string } | null): boolean => event?.type.startsWith('xstate.error.') === true;

const releaseByWorld = new WeakMap<WalkContext, () => void>();

/** The current address of the walk's customer. */
const addressByWorld = new WeakMap<WalkContext, string>();

/**
 * Holds the properties, so that they can be refused while the stored session is still being
 * checked.
 */
const holdProperties = async (world: WalkContext): Promise<void> => {
  world.injected('properties that refuse a token before its check is answered');
  const { promise, resolve } = Promise.withResolvers<void>();
  releaseByWorld.set(world, resolve);
  await forcePropertiesRequest(world.page);
  const { status, body } = toProblemResponse({ kind: 'unauthorized' }) as { status: number; body: string };
  const refuse = async (route: Route): Promise<void> => {
    await promise;
    await route.fulfill({ status, body });
  };
  await world.page.route('**/api/store/properties*', refuse, { times: 1 });
};

/** The session has no element: the top bar shows an account or a link to sign in. */
export const adapter: BrowserAdapter = {
  name: 'session',
  models,
  address: () => '/all',
  prepares: async (world) => {
    const restored = getNextSettlement(world, 'restoreSession');
    if (restored?.['output'] === null) return undefined;
    await (await world.customer()).signInBrowser(world.context);
    if (world.ahead[0]?.event.type === 'session.refused') await holdProperties(world);
    if (isFailure(restored)) {
      world.injected('the chunk that restores a session fails to load');
      await world.page.route('**/assets/forms-*.js', (route) => route.abort());
    }
    return undefined;
  },
  shows: async ({ page }, snapshot) => {
    if (snapshot.matches({ open: 'signedIn' })) await expect(page.getByLabel('Account', { exact: true })).toBeVisible();
    if (snapshot.matches({ open: 'visitor' })) await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  },
  ports: {
    restoreSession: {
      asks: ({ pathname }) => pathname.endsWith('/user/validate'),
      answer: ({ userId, pii }: SignedInUser) => json({ valid: true, userId, emailId: pii.email }),
      says: (_: unknown, body) => body.includes('"valid":true'),
    },
  },
  comesByItself: (event) =>
    event.type.endsWith('.forgetSession') || (event.type.endsWith('.restoreSession') && (event['output'] ?? null) === null),
  causes: {
    'signOut.pressed': async (world) => {
      await wakeFrameWithPausedClock(world);
      await waitForFrame(world);
      await world.page.getByRole('button', { name: 'Account' }).click();
      await world.page.locator('[data-event="signOut.pressed"]').click();
    },
    'session.started': async (world, _, { context }) => {
      const { page, customer } = world;
      const { userId } = context as { userId: string | null };
      if (userId !== null) {
        await page.getByRole('button', { name: 'Account' }).click();
        await page.getByRole('link', { name: 'My Profile' }).click();
        addressByWorld.set(world, await changeAddress(page));
        return;
      }
      const { email } = await customer();
      await page.getByRole('link', { name: 'Sign in' }).first().click();
      await new ShopPage(page).signIn(addressByWorld.get(world) ?? email, password);
    },
    'session.refused': async (world, _, { value }) => {
      if (value === 'restoring') return releaseByWorld.get(world)?.();
      world.injected('a library that no longer accepts the session');
      const { status, body } = toProblemResponse({ kind: 'unauthorized' }) as { status: number; body: string };
      await world.page.route('**/api/user/purchases*', (route) => route.fulfill({ status, body }), { times: 1 });
      await world.page.getByRole('link', { name: 'My Library' }).first().click();
    },
    'session.startedElsewhere': (world) => changeOtherTabSession(world, { type: '', userId: 'u1' }),
    'session.endedElsewhere': (world) => changeOtherTabSession(world, { type: '', userId: null }),
  },
};
