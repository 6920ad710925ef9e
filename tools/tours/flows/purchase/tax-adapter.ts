import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { TaxInput } from '../../../../machines/buying/tax.ts';
import type { TaxLocation, TaxQuote } from '../../../../machines/model/buying/tax.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { store } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/purchase/paths.ts';
import { taxPort, titleIds } from './adapter-helpers.ts';

type Context = { place: TaxLocation | null; quote: TaxQuote | null };

/** Whether an event is possible: a location can be chosen if it is listed and not selected yet. */
const isPossible = ({ context }: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  if (event.type !== 'taxLocation.chosen') return true;
  const { place, quote } = context as Context;
  const chosenLocation = event['place'] as TaxLocation;
  if (quote === null) return false;
  const country = place?.country ?? quote.country;
  if (chosenLocation.region === null) return chosenLocation.country !== country;
  const isListed = quote.country === country && quote.regions.some(({ code }) => code === chosenLocation.region);
  return isListed && chosenLocation.country === country && chosenLocation.region !== (place?.region ?? quote.region);
};

/** The tax in the summary of a purchase. */
export const adapter: BrowserAdapter = {
  name: 'tax',
  models: models.filter(({ name }) => name === 'tax'),
  // The summary of a title requests tax only if tax is due; that of a cart always does.
  getStartPath: ({ isDue }: TaxInput) => (isDue ? `/title/purchase?titleid=${titleIds.forSale}` : '/cart/checkout'),
  startsSignedIn: () => true,
  prepare: async ({ page, getCustomer }, { input }) => {
    const { isDue } = input as TaxInput;
    await stubStore(page, { store: { ...store, enableTax: isDue } });
    if (!isDue) await (await getCustomer()).request('cart/add', { titleId: titleIds.forSale });
    return undefined;
  },
  openScreen: ({ flow, page }, { input }) =>
    ((input as TaxInput).isDue ? flow : page.locator('[data-flow="purchase"][data-state=\'"ready"\']')).waitFor(),
  checkState: ({ flow, page }, { value }) =>
    value === 'none'
      ? expect(flow).toHaveCount(0)
      : value === 'outdated'
        ? expect(page.getByRole('heading', { level: 1 })).toHaveText('The price has changed')
        : expect(flow).toHaveAttribute('data-state', JSON.stringify(value)),
  isPossible,
  ports: { taxQuote: taxPort },
  causes: {
    'taxLocation.chosen': async ({ flow }, { place }) => {
      const { country, region } = place as TaxLocation;
      await flow.locator(`select[name="${region === null ? 'country' : 'region'}"]`).selectOption(region ?? country);
    },
  },
};
