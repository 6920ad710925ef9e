import { cartMachine } from '../../../browsing/cart.ts';
import type { CartEntry, CartRead } from '../../../model/buying/cart.ts';
import type { Problem } from '../../../model/problem.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejected, rejections, summary, type PathModel } from '../../path-model.ts';
import { cartDescription } from './descriptions.ts';

const entry: CartEntry = {
  titleId: summary.id,
  name: summary.name,
  savedAt: '2026-01-01T00:00:00.000Z',
  isOwned: false,
  title: summary,
};
const cheaper: CartEntry = {
  ...entry,
  title: { ...summary, prices: summary.prices.map((price) => ({ ...price, amount: price.amount / 2 })) },
  usual: summary.prices,
};
const used: Problem = { kind: 'refused', code: 'code_used', message: 'Used' };

const read = (...entries: CartEntry[]): { output: CartRead } => ({ output: { entries, refused: null } });

const takeCode = 'Take the code DEMO-20-PERCENT';
const takeOut = 'Take the title out of the cart, in another tab';

const one = described('one title', read(entry), 'Have one title in the cart by then');
const none = described('nothing', read(), 'Have nothing in the cart by then');
const byCode = described(
  'one title, which a code of before makes cheaper',
  read(cheaper),
  'Apply the code DEMO-20-PERCENT before, in this tab, and go elsewhere by a link',
);

export const models: PathModel[] = [
  {
    name: 'cart',
    machine: cartMachine,
    description: cartDescription,
    given: 'Signed in, open /purchase, with another tab at a title, /id:1008, for what is put into the cart or removed.',
    input: flowInput({ flow: 'cart', path: '/purchase' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.cartEntries': [one, byCode, none],
      'xstate.error.actor.cartEntries': rejections(problems.offline),
      'xstate.done.actor.cartEntriesAnew': [one, none],
      'xstate.error.actor.cartEntriesAnew': rejections(problems.rateLimited),
      'code.submitted': [{ pii: { form: { code: 'SPRING-20' } } }],
      'code.rejected': [{ fields: { code: 'required' } }],
      'xstate.done.actor.applyCode': [
        described('it takes something off', read(cheaper), takeCode),
        described('there is nothing in the cart any more', read(), `${takeCode}. ${takeOut}`),
      ],
      'xstate.error.actor.applyCode': [
        rejected(problems.offline, `${takeCode}, and block \`cart/titles\``),
        described('the code has been used', { error: used }, 'Take the code DEMO-USED'),
      ],
      'xstate.done.actor.removeCode': [
        described('it costs what it did before', read(entry)),
        described('there is nothing in the cart any more', read(), takeOut),
      ],
      'xstate.error.actor.removeCode': rejections(problems.offline),
    },
  },
];
