import { expect, type Route } from '@playwright/test';
import type { SignedInUser } from '../../../../machines/app/session.ts';
import { password } from '../../../browser/customer.ts';
import { forcePropertiesRequest } from '../../../browser/wire.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { waitForFrame, changeOtherTabSession, getNextSettlement, wakeFrameWithPausedClock } from '../../causes.ts';
import type { BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { toJsonResponse, toProblemResponse } from '../../wires.ts';
import { changeEmail } from '../../flows/account/adapter-helpers.ts';
import { models } from '../../../../machines/path-models/shell/session/paths.ts';

const isFailure = (event: { type: string } | null): boolean => event?.type.startsWith('xstate.error.') === true;

/** Releases the held properties of a walk. */
const releaseByWalk = new WeakMap<WalkContext, () => void>();

/** The e-mail address of the walk's customer, after it was changed. */
const emailByWalk = new WeakMap<WalkContext, string>();

/**
 * Holds the request for the properties, so that the walk can refuse it while the stored session is
 * still being checked.
 */
const holdProperties = async (walk: WalkContext): Promise<void> => {
  walk.recordInjection('properties that refuse a token while it is still being checked');
  const { promise, resolve } = Promise.withResolvers<void>();
  releaseByWalk.set(walk, resolve);
  await forcePropertiesRequest(walk.page);
  const { status, body } = toProblemResponse({ kind: 'unauthorized' }) as { status: number; body: string };
  const refuse = async (route: Route): Promise<void> => {
    await promise;
    await route.fulfill({ status, body });
  };
  await walk.page.route('**/api/store/properties*', refuse, { times: 1 });
};

/** The session has no element: its state shows in the top bar, as an account or a sign-in link. */
export const adapter: BrowserAdapter = {
  name: 'session',
  models,
  getStartPath: () => '/all',
  prepare: async (walk) => {
    const settlement = getNextSettlement(walk, 'restoreSession');
    if (settlement?.['output'] === null) return undefined;
    await (await walk.getCustomer()).signInBrowser(walk.context);
    if (walk.remainingSteps[0]?.event.type === 'session.refused') await holdProperties(walk);
    if (isFailure(settlement)) {
      walk.recordInjection('the chunk that restores a session fails to load');
      await walk.page.route('**/assets/forms-*.js', (route) => route.abort());
    }
    return undefined;
  },
  checkState: async ({ page }, snapshot) => {
    if (snapshot.matches({ open: 'signedIn' })) await expect(page.getByLabel('Account', { exact: true })).toBeVisible();
    if (snapshot.matches({ open: 'visitor' })) await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  },
  ports: {
    restoreSession: {
      matches: ({ pathname }) => pathname.endsWith('/user/validate'),
      toResponse: ({ userId, pii }: SignedInUser) => toJsonResponse({ valid: true, userId, emailId: pii.email }),
      isEquivalent: (_: unknown, body) => body.includes('"valid":true'),
    },
  },
  settlesByItself: (event) =>
    event.type.endsWith('.forgetSession') || (event.type.endsWith('.restoreSession') && (event['output'] ?? null) === null),
  causes: {
    'signOut.pressed': async (walk) => {
      await wakeFrameWithPausedClock(walk);
      await waitForFrame(walk);
      await walk.page.getByRole('button', { name: 'Account' }).click();
      await walk.page.locator('[data-event="signOut.pressed"]').click();
    },
    'session.started': async (walk, _, { context }) => {
      const { page, getCustomer } = walk;
      const { userId } = context as { userId: string | null };
      if (userId !== null) {
        await page.getByRole('button', { name: 'Account' }).click();
        await page.getByRole('link', { name: 'My Profile' }).click();
        emailByWalk.set(walk, await changeEmail(page));
        return;
      }
      const { email } = await getCustomer();
      await page.getByRole('link', { name: 'Sign in' }).first().click();
      await new ShopPage(page).signIn(emailByWalk.get(walk) ?? email, password);
    },
    'session.refused': async (walk, _, { value }) => {
      if (value === 'restoring') return releaseByWalk.get(walk)?.();
      walk.recordInjection('a library that no longer accepts the session');
      const { status, body } = toProblemResponse({ kind: 'unauthorized' }) as { status: number; body: string };
      await walk.page.route('**/api/user/purchases*', (route) => route.fulfill({ status, body }), { times: 1 });
      await walk.page.getByRole('link', { name: 'My Library' }).first().click();
    },
    'session.startedElsewhere': (walk) => changeOtherTabSession(walk, { type: '', userId: 'u1' }),
    'session.endedElsewhere': (walk) => changeOtherTabSession(walk, { type: '', userId: null }),
  },
};
