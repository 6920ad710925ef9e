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
const answers = [
  described('one title', { output: [entry] }, 'Have one title in the cart by then'),
  described('nothing', { output: [] }, 'Have nothing in the cart by then'),
];

export const models: PathModel[] = [
  {
    name: 'cart',
    machine: cartMachine,
    description: cartDescription,
    given: 'Signed in, open /purchase, with another tab at a title, /id:1008, for what is put into the cart or removed.',
    input: flowInput({ flow: 'cart', path: '/purchase' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.cartEntries': answers,
      'xstate.error.actor.cartEntries': rejections(problems.offline),
      'xstate.done.actor.cartEntriesAnew': answers,
      'xstate.error.actor.cartEntriesAnew': rejections(problems.offline),
    },
  },
];
