import type { SnapshotFrom } from 'xstate';
import type { taxMachine } from '../../../buying/tax.ts';
import type { Description } from '../../description.ts';

const describeTax = ({ context: { quote } }: SnapshotFrom<typeof taxMachine>): string =>
  quote?.needs === 'region'
    ? '“Choose your state or region to see what you’ll pay.” below the fields “Country” and “State or region”'
    : '“Choose your country to see what you’ll pay.” below the field “Country”';

export const taxDescription = {
  title: 'The tax on a purchase',
  about:
    'Part of the summaries of a purchase, of a gift and of the cart, in a store that adds tax to its prices: npm run store -- properties set --set EnableTax=true, and npm run store -- taxes set.',
  states: {
    'tax.none': 'No tax is shown.',
    'tax.asking': '“Working out the tax…”; nothing can be paid.',
    'tax.quoted': '“Price”, each tax with its rate, and “Total with tax”, which the button shows as well.',
    'tax.choosing': describeTax,
    'tax.failed': 'The reason why the tax is unknown, and “Try again”; nothing can be paid.',
    'tax.outdated': 'The heading “The price has changed” and “See the new price”; nothing was charged.',
  },
  presses: {
    'taxLocation.chosen': 'Choose under “Country”, or under “State or region”',
    'retry.pressed': 'Press “Try again”',
  },
  asks: { taxQuote: 'the tax' },
  effects: {
    reportTax: 'The total can be paid.',
    reportNoTax: 'Nothing can be paid until the tax is known again.',
    reportOutdated: 'The summary shows that the price has changed.',
  },
} satisfies Description<typeof taxMachine>;
