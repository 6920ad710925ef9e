import { cartMachine } from '../../../machines/browsing/cart.ts';
import type { CartEntry } from '../../../machines/model/cart.ts';
import { described } from '../../support/description.ts';
import { flowInput, problems, rejections, summary, type PathModel } from '../../support/path-model.ts';
import { cartDescription } from './descriptions.ts';

const entry: CartEntry = {
  titleId: summary.id,
  name: summary.name,
  savedAt: '2026-01-01T00:00:00.000Z',
  isOwned: false,
  title: summary,
};
const answers = [described('one title', { output: [entry] }), described('nothing', { output: [] })];

export const models: PathModel[] = [
  {
    name: 'cart',
    machine: cartMachine,
    description: cartDescription,
    given: 'Signed in, with one title in the cart where the server gives one and with none where it gives none, open /purchase.',
    input: flowInput({ flow: 'cart', path: '/purchase' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.cartEntries': answers,
      'xstate.error.actor.cartEntries': rejections(problems.offline),
      'xstate.done.actor.cartEntriesAnew': answers,
      'xstate.error.actor.cartEntriesAnew': rejections(problems.offline),
    },
  },
];
