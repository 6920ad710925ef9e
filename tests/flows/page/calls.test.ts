import { describe, expect, test } from 'vitest';
import { purchaseRecords } from '../../../src/client/library/library.ts';
import { contentPage } from '../../../src/flows/page/calls.ts';
import { json, rejection, world, xml } from '../../support/client/world.ts';

const notFound = { kind: 'refused', code: 'not_found' };
const title = '<Title><TitleId>t1</TitleId><Name>Log</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>';

describe('a content page [S7.pages/page]', () => {
  test('has a name and words', async () => {
    const { api, asked } = world([json({ name: 'about', title: 'About', html: '<p>Us</p>' })]);
    expect(await contentPage(api, 'about')).toEqual({ name: 'About', html: '<p>Us</p>' });
    expect(asked[0]).toMatchObject({ path: '/api/pages/about', query: { shelfid: 'demo' } });
  });

  test('that is for customers asks for sign-in', async () => {
    const { api } = world([json({ status: 401, code: 'unauthorized', error: 'Please sign in.' }, 401)]);
    expect(await rejection(contentPage(api, 'notes'))).toEqual({ kind: 'unauthorized' });
  });

  test.each(['', '..', '../private', '%00', 'a b', '__proto__', 'x'.repeat(10_000)])(
    'of a name that can be none is not asked for: %.20j',
    async (name) => {
      const { api, asked } = world([json({ title: '', html: '' })]);
      expect(await rejection(contentPage(api, name))).toMatchObject(notFound);
      expect(asked).toEqual([]);
    },
  );

  test('without its words is malformed', async () => {
    const { api } = world([json({ name: 'about', title: 'About' })]);
    expect(await rejection(contentPage(api, 'about'))).toMatchObject({ kind: 'malformed', field: 'html' });
  });
});

test('purchases have their price where money was paid', async () => {
  const purchase = (id: string, paid: string) =>
    `<Purchase><InstanceId>${id}</InstanceId><TitleId>t1</TitleId><PurchasedAt>2026-11-20T08:00:00Z</PurchasedAt>${paid}${title}</Purchase>`;
  const lines = [
    purchase('i1', '<TransId>tr1</TransId><Paid>9.9</Paid><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>'),
    purchase('i2', '<Paid>0</Paid><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>'),
    purchase('i3', ''),
  ];
  const { api, asked } = world([xml(`<Purchases>${lines.join('')}</Purchases>`)]);
  const line = { titleId: 't1', name: 'Log', transId: null, purchasedAt: '2026-11-20T08:00:00Z' };
  expect(await purchaseRecords(api)).toEqual([
    { ...line, instanceId: 'i1', transId: 'tr1', paid: { amount: 9.9, currency: 'EUR', symbol: '€' } },
    { ...line, instanceId: 'i2', paid: { amount: 0, currency: 'EUR', symbol: '€' } },
    { ...line, instanceId: 'i3', paid: null },
  ]);
  expect(asked[0]?.query).toMatchObject({ sort: 'newest', titletype: '0' });
});
