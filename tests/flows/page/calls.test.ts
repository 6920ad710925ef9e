import { describe, expect, test } from 'vitest';
import { fetchPurchaseRecords } from '../../../src/client/library/library.ts';
import { fetchContentPage } from '../../../src/flows/page/calls.ts';
import { json, catchRejection, environment, xml } from '../../support/client/fake-environment.ts';

const notFound = { kind: 'refused', code: 'not_found' };
const title = '<Title><TitleId>t1</TitleId><Name>Log</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>';

describe('a content page [S7.pages/page]', () => {
  test('has a name and a text', async () => {
    const { api, asked } = environment([json({ name: 'about', title: 'About', html: '<p>Us</p>' })]);
    expect(await fetchContentPage(api, 'about')).toEqual({ name: 'About', html: '<p>Us</p>' });
    expect(asked[0]).toMatchObject({ path: '/api/pages/about', query: { shelfid: 'demo' } });
  });

  test('for customers asks for sign-in', async () => {
    const { api } = environment([json({ status: 401, code: 'unauthorized', error: 'Please sign in.' }, 401)]);
    expect(await catchRejection(fetchContentPage(api, 'notes'))).toEqual({ kind: 'unauthorized' });
  });

  test.each(['', '..', '../private', '%00', 'a b', '__proto__', 'x'.repeat(10_000)])(
    'with a malformed name is not requested: %.20j',
    async (name) => {
      const { api, asked } = environment([json({ title: '', html: '' })]);
      expect(await catchRejection(fetchContentPage(api, name))).toMatchObject(notFound);
      expect(asked).toEqual([]);
    },
  );

  test('without its text is malformed', async () => {
    const { api } = environment([json({ name: 'about', title: 'About' })]);
    expect(await catchRejection(fetchContentPage(api, 'about'))).toMatchObject({ kind: 'malformed', field: 'html' });
  });
});

test('purchases have their price if money was paid', async () => {
  const purchase = (id: string, paid: string) =>
    `<Purchase><InstanceId>${id}</InstanceId><TitleId>t1</TitleId><PurchasedAt>2026-11-20T08:00:00Z</PurchasedAt>${paid}${title}</Purchase>`;
  const lines = [
    purchase('i1', '<TransId>tr1</TransId><Paid>9.9</Paid><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>'),
    purchase('i2', '<Paid>0</Paid><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>'),
    purchase('i3', ''),
  ];
  const { api, asked } = environment([xml(`<Purchases>${lines.join('')}</Purchases>`)]);
  const line = { titleId: 't1', name: 'Log', transId: null, purchasedAt: '2026-11-20T08:00:00Z' };
  expect(await fetchPurchaseRecords(api)).toEqual([
    { ...line, instanceId: 'i1', transId: 'tr1', paid: { amount: 9.9, currency: 'EUR', symbol: '€' } },
    { ...line, instanceId: 'i2', paid: { amount: 0, currency: 'EUR', symbol: '€' } },
    { ...line, instanceId: 'i3', paid: null },
  ]);
  expect(asked[0]?.query).toMatchObject({ sort: 'newest', titletype: '0' });
});
