import { taxMachine } from '../../../buying/tax.ts';
import type { TaxQuote } from '../../../model/buying/tax.ts';
import { describeCase } from '../../description.ts';
import { problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { price, tax } from './offers.ts';
import { taxDescription } from './tax-descriptions.ts';

export const knownTaxQuote: TaxQuote = {
  price: 9.99,
  taxPrice: 0.55,
  priceWithTax: 10.54,
  taxRates: tax.rates,
  country: 'FR',
  region: null,
  countries: [],
  regions: [],
};
const unknownTaxQuote = { ...knownTaxQuote, taxPrice: 0, priceWithTax: 9.99, taxRates: [] };
const regions = [
  { code: 'CA', name: 'California' },
  { code: 'OR', name: 'Oregon' },
];

const createTaxModel = (overrides: Partial<PathModel>): PathModel => ({
  name: 'tax',
  machine: taxMachine,
  description: taxDescription,
  startInstruction: `Signed in, in a store that adds tax to its prices ${preparations.taxes}, open the purchase of a title, ${preparations.withoutCredits}: /title/purchase?titleid=1008.`,
  input: { of: 'title', titleId: '1001', price, isDue: true },
  cases: {
    'taxLocation.chosen': [
      describeCase('France', { place: { country: 'FR', region: null } }),
      describeCase('the United States', { place: { country: 'US', region: null } }),
      describeCase('California', { place: { country: 'US', region: 'CA' } }),
    ],
    'xstate.done.actor.taxQuote': [
      describeCase(
        'it is 5.5% of the price',
        { output: knownTaxQuote },
        'Choose France under “Country” before: the browser stores it',
      ),
      describeCase(
        'it depends on the country',
        { output: { ...unknownTaxQuote, country: null, needs: 'country' } },
        'Take a browser in which no country was chosen',
      ),
      describeCase('it depends on the state', { output: { ...unknownTaxQuote, country: 'US', needs: 'region', regions } }),
    ],
    'xstate.error.actor.taxQuote': toRejectionCases(problems.offline, problems.priceChanged),
  },
  ...overrides,
});

export const taxModels: PathModel[] = [
  createTaxModel({}),
  createTaxModel({
    startInstruction: 'Open the purchase of a title in a store that adds no tax: /title/purchase?titleid=1008.',
    input: { of: 'title', titleId: '1001', price, isDue: false },
  }),
];
