import { expect, type Route } from '@playwright/test';
import type { SignedIn } from '../../../../machines/app/session.ts';
import { password } from '../../../browser/customer.ts';
import { askForProperties } from '../../../browser/wire.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { frameStands, inOtherTabSession, nextOf, wakeFrameInStoppedTime } from '../../causes.ts';
import type { Stage, World } from '../../stage.ts';
import { json, wireOfProblem } from '../../wires.ts';
import { changeAddress } from '../../flows/account/stage-helpers.ts';
import { models } from '../../../../machines/path-models/shell/session/paths.ts';

const isFailure = (event: { type: string } | null): boolean => event?.type.startsWith('xstate.error.') === true;

const releases = new WeakMap<World, () => void>();

/** What the customer of a tour is called by now. */
const addresses = new WeakMap<World, string>();

/** Keeps the properties waiting, so that they can be refused while the stored session is still looked at. */
const holdProperties = async (world: World): Promise<void> => {
  world.injected('properties that refuse a token before its check has an answer');
  const { promise, resolve } = Promise.withResolvers<void>();
  releases.set(world, resolve);
  await askForProperties(world.page);
  const { status, body } = wireOfProblem({ kind: 'unauthorized' }) as { status: number; body: string };
  const refuse = async (route: Route): Promise<void> => {
    await promise;
    await route.fulfill({ status, body });
  };
  await world.page.route('**/api/store/properties*', refuse, { times: 1 });
};

/** The session has no element: the top bar shows an account or the way to one. */
export const stage: Stage = {
  name: 'session',
  models,
  address: () => '/all',
  prepares: async (world) => {
    const restored = nextOf(world, 'restoreSession');
    if (restored?.['output'] === null) return undefined;
    await (await world.customer()).uses(world.context);
    if (world.ahead[0]?.event.type === 'session.refused') await holdProperties(world);
    if (isFailure(restored)) {
      world.injected('the part of the program that restores a session does not come');
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
      answer: ({ userId, pii }: SignedIn) => json({ valid: true, userId, emailId: pii.email }),
      says: (_: unknown, body) => body.includes('"valid":true'),
    },
  },
  comesByItself: (event) =>
    event.type.endsWith('.forgetSession') || (event.type.endsWith('.restoreSession') && (event['output'] ?? null) === null),
  causes: {
    'signOut.pressed': async (world) => {
      await wakeFrameInStoppedTime(world);
      await frameStands(world);
      await world.page.getByRole('button', { name: 'Account' }).click();
      await world.page.locator('[data-event="signOut.pressed"]').click();
    },
    'session.started': async (world, _, { context }) => {
      const { page, customer } = world;
      const { userId } = context as { userId: string | null };
      if (userId !== null) {
        await page.getByRole('button', { name: 'Account' }).click();
        await page.getByRole('link', { name: 'My Profile' }).click();
        addresses.set(world, await changeAddress(page));
        return;
      }
      const { email } = await customer();
      await page.getByRole('link', { name: 'Sign in' }).first().click();
      await new ShopPage(page).signIn(addresses.get(world) ?? email, password);
    },
    'session.refused': async (world, _, { value }) => {
      if (value === 'restoring') return releases.get(world)?.();
      world.injected('a library that knows the session no longer');
      const { status, body } = wireOfProblem({ kind: 'unauthorized' }) as { status: number; body: string };
      await world.page.route('**/api/user/purchases*', (route) => route.fulfill({ status, body }), { times: 1 });
      await world.page.getByRole('link', { name: 'My Library' }).first().click();
    },
    'session.startedElsewhere': (world) => inOtherTabSession(world, { type: '', userId: 'u1' }),
    'session.endedElsewhere': (world) => inOtherTabSession(world, { type: '', userId: null }),
  },
};
