import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { PendingSignIn, providerReturnMachine } from '../../../../machines/account/provider-return.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import { getNextSettlement } from '../../causes.ts';
import { hasLeft } from '../../in-shop.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { toJsonResponse, toSessionXml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/provider-return/paths.ts';

const headings: Headings<typeof providerReturnMachine> = {
  taking: null,
  finishing: null,
  joining: null,
  notJoined: 'Nothing was connected',
  welcomed: null,
  cancelled: 'You’re not signed in',
  over: 'This sign-in is no longer valid',
  passwordNeeded: 'Please sign in with your password',
  failed: 'We couldn’t sign you in',
};

/** Returns the error code of a refused sign-in, or an empty text. */
const getRefusalCode = (event: AnyEventObject | null): string => {
  if (event === null || !/^xstate\.error\.actor\.(?:finishSignIn|joinProvider)$/.test(event.type)) return '';
  const problem = toProblem(event['error']);
  return problem.kind === 'refused' ? problem.code : '';
};

/**
 * Whether the page itself refuses, without a request: the sign-in was cancelled, or was not started
 * in this tab.
 */
const isRefusalByPage = (event: AnyEventObject | null): boolean =>
  getRefusalCode(event) === 'provider_cancelled' ||
  (getRefusalCode(event) === 'sign_in_over' && event?.type.endsWith('finishSignIn') === true);

/** Returns the event that ends the sign-in, caused by the server or by the page itself, or null. */
const getFinalSettlement = (walk: WalkContext): AnyEventObject | null =>
  getNextSettlement(walk, 'finishSignIn') ?? getNextSettlement(walk, 'joinProvider');

const hasReturnPath = ({ context }: AnyMachineSnapshot): boolean => (context as { way: PendingSignIn }).way.path !== '/';

/** The `state` parameter of the sign-in. */
const stateToken = 'S'.repeat(43);

export const adapter: BrowserAdapter = {
  name: 'providerReturn',
  models,
  getStartPath: () => `/auth0loginCallback?code=C&state=${stateToken}`,
  prepare: async (walk) => {
    const pendingSignIn = getNextSettlement(walk, 'consumeAnswer')?.['output'] as PendingSignIn | null;
    const { joins = false, ...way } = pendingSignIn ?? { path: '', action: null };
    // As if this tab had started the sign-in.
    const storedSignIn = pendingSignIn && JSON.stringify({ state: stateToken, remember: true, joins, way });
    if (storedSignIn)
      await walk.page.addInitScript((value) => sessionStorage.setItem('colophon.begunSignIn', value), storedSignIn);
    const isCancelled = getRefusalCode(getFinalSettlement(walk)) === 'provider_cancelled';
    return isCancelled ? `/auth0loginCallback?error=access_denied&state=${stateToken}` : undefined;
  },
  checkState: async (walk, snapshot) => {
    const { flow } = walk;
    if (hasLeft(snapshot)) return expect(flow).toHaveCount(0);
    const value = snapshot.value as keyof typeof headings;
    // A state that ends at once cannot be observed.
    if (value === 'taking' || ((value === 'finishing' || value === 'joining') && isRefusalByPage(getFinalSettlement(walk))))
      return;
    await expect(flow).toHaveAttribute('data-state', JSON.stringify(value));
    const heading = headings[value];
    if (heading !== null) await expect(flow.getByRole('heading', { name: heading })).toBeVisible();
  },
  settlesByItself: (event) => event.type === 'xstate.done.actor.consumeAnswer' || isRefusalByPage(event),
  // A sign-in that this tab has not started is over, without a request.
  isPossible: (snapshot, event) =>
    !event.type.endsWith('.actor.finishSignIn') || hasReturnPath(snapshot) === (getRefusalCode(event) !== 'sign_in_over'),
  ports: {
    finishSignIn: {
      matches: ({ pathname }) => pathname.endsWith('/user/provider/finish'),
      toResponse: toSessionXml,
    },
    joinProvider: {
      matches: ({ pathname }) => pathname.endsWith('/user/ways/join'),
      toResponse: () => toJsonResponse({ providers: [] }),
    },
  },
};
