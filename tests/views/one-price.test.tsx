import { i18n } from '@lingui/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { PurchaseView } from '../../src/flows/purchase/PurchaseView.tsx';
import { flow } from '../../src/flows/purchase/ports.ts';
import { TitleCard } from '../../src/views/TitleCard.tsx';
import { shopWorld } from '../support/client/shop-world.ts';
import { world as server } from '../support/client/world.ts';
import { flowInput, underShop } from '../support/views/flow.ts';
import { openShop } from '../support/views/shop.tsx';
import { fullTitle, store } from '../support/views/fixtures.ts';
import { show, stateOf } from '../support/views/show.tsx';
import { gives } from '../support/views/world.ts';

let asked: { price: Price | null }[] = [];

vi.mock('../../src/client/catalogue/title.ts', () => ({ titleById: async () => fullTitle }));
vi.mock('../../src/flows/purchase/calls/title.ts', () => ({
  paymentSession: async (_api: unknown, purchase: { price: Price | null }) => {
    asked.push(purchase);
    return { transId: 't1', provider: 'test', url: 'https://gateway.example/pay/t1' };
  },
}));

const world = shopWorld(() => server([]).api, { spokenLanguage: () => document.documentElement.lang });

const sold = { ...store, purchaseCountries: ['US', 'GB', 'FR', 'IT', 'DE'] };

beforeEach(() => {
  asked = [];
  localStorage.clear();
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE');
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de-DE', 'de']);
});
afterEach(() => {
  vi.restoreAllMocks();
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});

const summaryOf = (container: HTMLElement) => within(container).getByRole('heading', { level: 2 }).parentElement;

test.each([
  ['en', '$9.50', 9.5, 'USD'],
  ['it', '8,00 €', 8, 'EUR'],
])(
  'a German browser in a shop that speaks %s sees one price from the card to the payment',
  async (locale, price, amount, currency) => {
    i18n.loadAndActivate({ locale, messages: {} });
    document.documentElement.lang = locale;
    const plain = (text: string | null | undefined) => text?.replaceAll(/\s/g, ' ');
    expect(plain(show(<TitleCard title={fullTitle} />, '/', sold).textContent)).toContain(price);
    cleanup();

    const { actor } = underShop(flow(world), flowInput({ titleid: '1' }, { store: sold }));
    const container = show(<PurchaseView actor={actor} />, '/', sold);
    await waitFor(() => expect(stateOf(container, 'purchase')).toBe('ready'));
    expect(plain(summaryOf(container)?.textContent)).toContain(price);

    actor.send({ type: 'pay.pressed' });
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.price).toMatchObject({ amount, currency });
  },
);

test('the title’s page says the same price above the button and on it', async () => {
  openShop('/id:1/The-Ferry-Ledger', {
    title: gives({ ...fullTitle, prices: fullTitle.prices.toReversed() }),
    store: gives(sold),
  });
  expect(await screen.findByRole('link', { name: 'Buy for $9.50' })).toBeTruthy();
  expect(screen.getAllByText('$9.50', { ignore: 'li *' })).toHaveLength(1);
  expect(screen.queryByText(/8\.00/)).toBeNull();
});
