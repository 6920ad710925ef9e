import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { PendingSignIn, providerReturnMachine } from '../../../../machines/account/provider-return.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import { getNextSettlement } from '../../causes.ts';
import { hasLeft } from '../../in-shop.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { json, toSessionXml } from '../../wires.ts';
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

const getRefusalCode = (event: AnyEventObject | null): string => {
  if (event === null || !/^xstate\.error\.actor\.(?:finishSignIn|joinProvider)$/.test(event.type)) return '';
  const problem = toProblem(event['error']);
  return problem.kind === 'refused' ? problem.code : '';
};

/** The page itself knows that a sign-in was cancelled, or was not started in this tab. */
const isExpectedRefusal = (event: AnyEventObject | null): boolean =>
  getRefusalCode(event) === 'provider_cancelled' ||
  (getRefusalCode(event) === 'sign_in_over' && event?.type.endsWith('finishSignIn') === true);

/** The next answer of the server, or of the page itself. */
const getEnd = (world: WalkContext): AnyEventObject | null =>
  getNextSettlement(world, 'finishSignIn') ?? getNextSettlement(world, 'joinProvider');

const hasReturnPath = ({ context }: AnyMachineSnapshot): boolean => (context as { way: PendingSignIn }).way.path !== '/';

const state = 'S'.repeat(43);

export const adapter: BrowserAdapter = {
  name: 'providerReturn',
  models,
  address: () => `/auth0loginCallback?code=C&state=${state}`,
  prepares: async (world) => {
    const begunWay = getNextSettlement(world, 'takeAnswer')?.['output'] as PendingSignIn | null;
    const { joins = false, ...way } = begunWay ?? { path: '', action: null };
    // Simulates that the tab has started it.
    const begun = begunWay && JSON.stringify({ state, remember: true, joins, way });
    if (begun) await world.page.addInitScript((kept) => sessionStorage.setItem('colophon.begunSignIn', kept), begun);
    const isCancelled = getRefusalCode(getEnd(world)) === 'provider_cancelled';
    return isCancelled ? `/auth0loginCallback?error=access_denied&state=${state}` : undefined;
  },
  shows: async (world, snapshot) => {
    const { flow } = world;
    if (hasLeft(snapshot)) return expect(flow).toHaveCount(0);
    const value = snapshot.value as keyof typeof headings;
    // States that end at once cannot be observed.
    if (value === 'taking' || ((value === 'finishing' || value === 'joining') && isExpectedRefusal(getEnd(world)))) return;
    await expect(flow).toHaveAttribute('data-state', JSON.stringify(value));
    const heading = headings[value];
    if (heading !== null) await expect(flow.getByRole('heading', { name: heading })).toBeVisible();
  },
  comesByItself: (event) => event.type === 'xstate.done.actor.takeAnswer' || isExpectedRefusal(event),
  // A sign-in that this tab has not started is over, without a request.
  isPossible: (snapshot, event) =>
    !event.type.endsWith('.actor.finishSignIn') || hasReturnPath(snapshot) === (getRefusalCode(event) !== 'sign_in_over'),
  ports: {
    finishSignIn: {
      asks: ({ pathname }) => pathname.endsWith('/user/provider/finish'),
      answer: toSessionXml,
    },
    joinProvider: {
      asks: ({ pathname }) => pathname.endsWith('/user/ways/join'),
      answer: () => json({ providers: [] }),
    },
  },
};
