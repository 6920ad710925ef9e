import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { BegunWay, providerReturnMachine } from '../../../../machines/account/provider-return.ts';
import { problemOf } from '../../../../machines/model/problem.ts';
import { nextOf } from '../../causes.ts';
import { hasLeft } from '../../in-shop.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { json, sessionAnswer } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/provider-return/paths.ts';

const headings: Headings<typeof providerReturnMachine> = {
  taking: null,
  finishing: null,
  joining: null,
  notJoined: 'Nothing was connected',
  welcomed: null,
  cancelled: 'You’re not signed in',
  over: 'This sign-in is over',
  passwordNeeded: 'Please sign in with your password',
  failed: 'We couldn’t sign you in',
};

const codeOf = (event: AnyEventObject | null): string => {
  if (event === null || !/^xstate\.error\.actor\.(?:finishSignIn|joinProvider)$/.test(event.type)) return '';
  const problem = problemOf(event['error']);
  return problem.kind === 'refused' ? problem.code : '';
};

/** The page knows by itself that a sign-in was cancelled, or was not begun in this tab. */
const isKnown = (event: AnyEventObject | null): boolean =>
  codeOf(event) === 'provider_cancelled' || (codeOf(event) === 'sign_in_over' && event?.type.endsWith('finishSignIn') === true);

/** What the server, or the page itself, is about to say. */
const endOf = (world: World): AnyEventObject | null => nextOf(world, 'finishSignIn') ?? nextOf(world, 'joinProvider');

const begunBy = ({ context }: AnyMachineSnapshot): boolean => (context as { way: BegunWay }).way.path !== '/';

const state = 'S'.repeat(43);

export const stage: Stage = {
  name: 'providerReturn',
  models,
  address: () => `/auth0loginCallback?code=C&state=${state}`,
  prepares: async (world) => {
    const begunWay = nextOf(world, 'takeAnswer')?.['output'] as BegunWay | null;
    const { joins = false, ...way } = begunWay ?? { path: '', action: null };
    // As if the tab had begun it.
    const begun = begunWay && JSON.stringify({ state, remember: true, joins, way });
    if (begun) await world.page.addInitScript((kept) => sessionStorage.setItem('colophon.begunSignIn', kept), begun);
    const isCancelled = codeOf(endOf(world)) === 'provider_cancelled';
    return isCancelled ? `/auth0loginCallback?error=access_denied&state=${state}` : undefined;
  },
  shows: async (world, snapshot) => {
    const { flow } = world;
    if (hasLeft(snapshot)) return expect(flow).toHaveCount(0);
    const value = snapshot.value as keyof typeof headings;
    // Nobody sees what is over at once.
    if (value === 'taking' || ((value === 'finishing' || value === 'joining') && isKnown(endOf(world)))) return;
    await expect(flow).toHaveAttribute('data-state', JSON.stringify(value));
    const heading = headings[value];
    if (heading !== null) await expect(flow.getByRole('heading', { name: heading })).toBeVisible();
  },
  comesByItself: (event) => event.type === 'xstate.done.actor.takeAnswer' || isKnown(event),
  // What this tab has not begun is over, and nobody is asked.
  isPossible: (snapshot, event) =>
    !event.type.endsWith('.actor.finishSignIn') || begunBy(snapshot) === (codeOf(event) !== 'sign_in_over'),
  ports: {
    finishSignIn: {
      asks: ({ pathname }) => pathname.endsWith('/user/provider/finish'),
      answer: sessionAnswer,
    },
    joinProvider: {
      asks: ({ pathname }) => pathname.endsWith('/user/ways/join'),
      answer: () => json({ providers: [] }),
    },
  },
};
