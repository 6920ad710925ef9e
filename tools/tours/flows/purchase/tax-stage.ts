import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { TaxInput } from '../../../../machines/buying/tax.ts';
import type { Place, TaxQuote } from '../../../../machines/model/buying/tax.ts';
import type { Stage } from '../../stage.ts';
import { withStoreOf } from '../../store.ts';
import { store } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/purchase/paths.ts';
import { taxPort, titles } from './stage-helpers.ts';

type Context = { place: Place | null; quote: TaxQuote | null };

/** Only what is on the screen is chosen, and only what is not chosen already. */
const isPossible = ({ context }: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (event.type !== 'place.chosen') return true;
  const { place, quote } = context as Context;
  const wanted = event['place'] as Place;
  if (quote === null) return false;
  const country = place?.country ?? quote.country;
  if (wanted.region === null) return wanted.country !== country;
  const isListed = quote.country === country && quote.regions.some(({ code }) => code === wanted.region);
  return isListed && wanted.country === country && wanted.region !== (place?.region ?? quote.region);
};

/** The tax as the summary of a purchase shows it. */
export const stage: Stage = {
  name: 'tax',
  models: models.filter(({ name }) => name === 'tax'),
  // Where no tax is due the summary of a title asks for none; that of a cart has it all the same.
  address: ({ isDue }: TaxInput) => (isDue ? `/title/purchase?titleid=${titles.sold}` : '/cart/checkout'),
  startsSignedIn: () => true,
  prepares: async ({ page, customer }, { input }) => {
    const { isDue } = input as TaxInput;
    await withStoreOf(page, { store: { ...store, enableTax: isDue } });
    if (!isDue) await (await customer()).ask('cart/add', { titleId: titles.sold });
    return undefined;
  },
  arrives: ({ flow, page }, { input }) =>
    ((input as TaxInput).isDue ? flow : page.locator('[data-flow="purchase"][data-state=\'"ready"\']')).waitFor(),
  shows: ({ flow, page }, { value }) =>
    value === 'none'
      ? expect(flow).toHaveCount(0)
      : value === 'outdated'
        ? expect(page.getByRole('heading', { level: 1 })).toHaveText('The price has changed')
        : expect(flow).toHaveAttribute('data-state', JSON.stringify(value)),
  isPossible,
  ports: { taxQuote: taxPort },
  causes: {
    'place.chosen': async ({ flow }, { place }) => {
      const { country, region } = place as Place;
      await flow.locator(`select[name="${region === null ? 'country' : 'region'}"]`).selectOption(region ?? country);
    },
  },
};
