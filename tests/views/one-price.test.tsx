import { i18n } from '@lingui/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { PurchaseView } from '../../src/flows/purchase/PurchaseView.tsx';
import { flow } from '../../src/flows/purchase/ports.ts';
import { TitleCard } from '../../src/views/TitleCard.tsx';
import { createShopEnvironment } from '../support/client/shop-environment.ts';
import { createFakeServer as createServer } from '../support/client/fake-environment.ts';
import { makeFlowInput, startUnderShop } from '../support/views/flow.ts';
import { openShop } from '../support/views/shop.tsx';
import { fullTitle, store } from '../support/views/fixtures.ts';
import { renderInShop, readState } from '../support/views/show.tsx';
import { resolvesTo } from '../support/views/world.ts';

let priceRequests: { price: Price | null }[] = [];

vi.mock('../../src/client/catalogue/title.ts', () => ({ fetchTitle: async () => fullTitle }));
vi.mock('../../src/flows/purchase/calls/title.ts', () => ({
  startTitlePayment: async (_api: unknown, purchase: { price: Price | null }) => {
    priceRequests.push(purchase);
    return { transId: 't1', provider: 'test', url: 'https://gateway.example/pay/t1' };
  },
}));

const environment = createShopEnvironment(() => createServer([]).api, { spokenLanguage: () => document.documentElement.lang });

const storeWithCountries = { ...store, purchaseCountries: ['US', 'GB', 'FR', 'IT', 'DE'] };

beforeEach(() => {
  priceRequests = [];
  localStorage.clear();
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE');
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de-DE', 'de']);
});
afterEach(() => {
  vi.restoreAllMocks();
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

const findSummary = (container: HTMLElement) => within(container).getByRole('heading', { level: 2 }).parentElement;

test.each([
  ['en', '$9.50', 9.5, 'USD'],
  ['it', '8,00 €', 8, 'EUR'],
])(
  'a German browser in a shop that speaks %s sees one price from the card to the payment',
  async (locale, price, amount, currency) => {
    i18n.loadAndActivate({ locale, messages: {} });
    document.documentElement.lang = locale;
    const normalizeSpaces = (text: string | null | undefined) => text?.replaceAll(/\s/g, ' ');
    expect(normalizeSpaces(renderInShop(<TitleCard title={fullTitle} />, '/', storeWithCountries).textContent)).toContain(price);
    cleanup();

    const { actor } = startUnderShop(flow(environment), makeFlowInput({ titleid: '1' }, { store: storeWithCountries }));
    const container = renderInShop(<PurchaseView actor={actor} />, '/', storeWithCountries);
    await waitFor(() => expect(readState(container, 'purchase')).toBe('ready'));
    expect(normalizeSpaces(findSummary(container)?.textContent)).toContain(price);

    actor.send({ type: 'pay.pressed' });
    await waitFor(() => expect(priceRequests).toHaveLength(1));
    expect(priceRequests[0]?.price).toMatchObject({ amount, currency });
  },
);

test('the title’s page shows the same price above the button and on it', async () => {
  openShop('/id:1/The-Ferry-Ledger', {
    title: resolvesTo({ ...fullTitle, prices: fullTitle.prices.toReversed() }),
    store: resolvesTo(storeWithCountries),
  });
  expect(await screen.findByRole('link', { name: 'Buy for $9.50' })).toBeTruthy();
  expect(screen.getAllByText('$9.50', { ignore: 'li *' })).toHaveLength(1);
  expect(screen.queryByText(/8\.00/)).toBeNull();
});
