import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { providerReturnMachine } from '../../../machines/account/provider-return.ts';
import { problemOf } from '../../../machines/model/problem.ts';
import type { AfterSignIn } from '../../../machines/model/route.ts';
import { nextOf } from '../../e2e/tours/causes.ts';
import { hasLeft } from '../../e2e/tours/in-shop.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { sessionAnswer } from '../../e2e/tours/wires.ts';
import { models } from './paths.ts';

const headings: Headings<typeof providerReturnMachine> = {
  taking: null,
  finishing: null,
  welcomed: null,
  cancelled: 'You’re not signed in',
  over: 'This sign-in is over',
  passwordNeeded: 'Please sign in with your password',
  failed: 'We couldn’t sign you in',
};

const codeOf = (event: AnyEventObject | null): string => {
  if (event?.type !== 'xstate.error.actor.finishSignIn') return '';
  const problem = problemOf(event['error']);
  return problem.kind === 'refused' ? problem.code : '';
};

/** The page knows by itself that a sign-in was cancelled, or was not begun in this tab. */
const isKnown = (event: AnyEventObject | null): boolean => ['provider_cancelled', 'sign_in_over'].includes(codeOf(event));

const begunBy = ({ context }: AnyMachineSnapshot): boolean => (context as { way: AfterSignIn }).way.path !== '/';

const state = 'S'.repeat(43);

export const stage: Stage = {
  name: 'providerReturn',
  models,
  address: () => `/auth0loginCallback?code=C&state=${state}`,
  prepares: async (world) => {
    const way = nextOf(world, 'takeAnswer')?.['output'] as AfterSignIn | null;
    // As if the tab had begun it.
    const begun = way && JSON.stringify({ state, remember: true, way });
    if (begun) await world.page.addInitScript((kept) => sessionStorage.setItem('colophon.begunSignIn', kept), begun);
    const isCancelled = codeOf(nextOf(world, 'finishSignIn')) === 'provider_cancelled';
    return isCancelled ? `/auth0loginCallback?error=access_denied&state=${state}` : undefined;
  },
  shows: async (world, snapshot) => {
    const { flow } = world;
    if (hasLeft(snapshot)) return expect(flow).toHaveCount(0);
    const value = snapshot.value as keyof typeof headings;
    // Nobody sees what is over at once.
    if (value === 'taking' || (value === 'finishing' && isKnown(nextOf(world, 'finishSignIn')))) return;
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
  },
};
