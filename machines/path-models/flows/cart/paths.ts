import { cartMachine } from '../../../browsing/cart.ts';
import type { CartEntry, LoadedCart } from '../../../model/buying/cart.ts';
import type { Problem } from '../../../model/problem.ts';
import { describeCase } from '../../description.ts';
import {
  createFlowInput,
  problems,
  createRejectionCase,
  toRejectionCases,
  titleSummary,
  type PathModel,
} from '../../path-model.ts';
import { cartDescription } from './descriptions.ts';

const entry: CartEntry = {
  titleId: titleSummary.id,
  name: titleSummary.name,
  savedAt: '2026-01-01T00:00:00.000Z',
  isOwned: false,
  title: titleSummary,
};
const reducedEntry: CartEntry = {
  ...entry,
  title: { ...titleSummary, prices: titleSummary.prices.map((price) => ({ ...price, amount: price.amount / 2 })) },
  usual: titleSummary.prices,
};
const usedCodeProblem: Problem = { kind: 'refused', code: 'code_used', message: 'Used' };

const toCartOutput = (...entries: CartEntry[]): { output: LoadedCart } => ({ output: { entries, refused: null } });

const takeCodeInstruction = 'Take the code DEMO-20-PERCENT';
const takeOutInstruction = 'Take the title out of the cart, in another tab';

const oneTitleCase = describeCase('one title', toCartOutput(entry), 'Have one title in the cart by then');
const emptyCase = describeCase('nothing', toCartOutput(), 'Have nothing in the cart by then');
const reducedCase = describeCase(
  'one title, which a code of before makes cheaper',
  toCartOutput(reducedEntry),
  'Apply the code DEMO-20-PERCENT before, in this tab, and go elsewhere by a link',
);

export const models: PathModel[] = [
  {
    name: 'cart',
    machine: cartMachine,
    description: cartDescription,
    startInstruction:
      'Signed in, open /purchase, with another tab at a title, /id:1008, for what is put into the cart or removed.',
    input: createFlowInput({ flow: 'cart', path: '/purchase' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.cartEntries': [oneTitleCase, reducedCase, emptyCase],
      'xstate.error.actor.cartEntries': toRejectionCases(problems.offline),
      'xstate.done.actor.reloadCartEntries': [oneTitleCase, emptyCase],
      'xstate.error.actor.reloadCartEntries': toRejectionCases(problems.rateLimited),
      'code.submitted': [{ pii: { form: { code: 'SPRING-20' } } }],
      'code.rejected': [{ fields: { code: 'required' } }],
      'xstate.done.actor.applyCode': [
        describeCase('it takes something off', toCartOutput(reducedEntry), takeCodeInstruction),
        describeCase('there is nothing in the cart any more', toCartOutput(), `${takeCodeInstruction}. ${takeOutInstruction}`),
      ],
      'xstate.error.actor.applyCode': [
        createRejectionCase(problems.offline, `${takeCodeInstruction}, and block \`cart/titles\``),
        describeCase('the code has been used', { error: usedCodeProblem }, 'Take the code DEMO-USED'),
      ],
      'xstate.done.actor.removeCode': [
        describeCase('it costs what it did before', toCartOutput(entry)),
        describeCase('there is nothing in the cart any more', toCartOutput(), takeOutInstruction),
      ],
      'xstate.error.actor.removeCode': toRejectionCases(problems.offline),
    },
  },
];
