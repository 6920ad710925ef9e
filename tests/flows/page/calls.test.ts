import { describe, expect, test } from 'vitest';
import { fetchPurchaseRecords } from '../../../src/client/library/library.ts';
import { fetchContentPage } from '../../../src/flows/page/calls.ts';
import { json, catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const notFound = { kind: 'refused', code: 'not_found' };
const titleXml = '<Title><TitleId>t1</TitleId><Name>Log</Name><TitleType>2</TitleType><Medium>audio</Medium></Title>';

describe('a content page [S7.pages/page]', () => {
  test('a content page has a name and a text', async () => {
    const { api, requests } = createFakeServer([json({ name: 'about', title: 'About', html: '<p>Us</p>' })]);
    expect(await fetchContentPage(api, 'about')).toEqual({ name: 'About', html: '<p>Us</p>' });
    expect(requests[0]).toMatchObject({ path: '/api/pages/about', query: { shelfid: 'demo' } });
  });

  test('a content page for customers is refused as unauthorized', async () => {
    const { api } = createFakeServer([json({ status: 401, code: 'unauthorized', error: 'Please sign in.' }, 401)]);
    expect(await catchRejection(fetchContentPage(api, 'notes'))).toEqual({ kind: 'unauthorized' });
  });

  test.each(['', '..', '../private', '%00', 'a b', '__proto__', 'x'.repeat(10_000)])(
    'a content page with a malformed name is not requested (%#)',
    async (name) => {
      const { api, requests } = createFakeServer([json({ title: '', html: '' })]);
      expect(await catchRejection(fetchContentPage(api, name))).toMatchObject(notFound);
      expect(requests).toEqual([]);
    },
  );

  test('a content page without its text is malformed', async () => {
    const { api } = createFakeServer([json({ name: 'about', title: 'About' })]);
    expect(await catchRejection(fetchContentPage(api, 'about'))).toMatchObject({ kind: 'malformed', field: 'html' });
  });
});

test('a purchase has the amount paid, or null if the server sends none', async () => {
  const createPurchaseXml = (id: string, paid: string) =>
    `<Purchase><InstanceId>${id}</InstanceId><TitleId>t1</TitleId><PurchasedAt>2026-11-20T08:00:00Z</PurchasedAt>${paid}${titleXml}</Purchase>`;
  const purchases = [
    createPurchaseXml('i1', '<TransId>tr1</TransId><Paid>9.9</Paid><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>'),
    createPurchaseXml('i2', '<Paid>0</Paid><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol>'),
    createPurchaseXml('i3', ''),
  ];
  const { api, requests } = createFakeServer([xml(`<Purchases>${purchases.join('')}</Purchases>`)]);
  const commonFields = { titleId: 't1', name: 'Log', transId: null, purchasedAt: '2026-11-20T08:00:00Z' };
  expect(await fetchPurchaseRecords(api)).toEqual([
    { ...commonFields, instanceId: 'i1', transId: 'tr1', paid: { amount: 9.9, currency: 'EUR', symbol: '€' } },
    { ...commonFields, instanceId: 'i2', paid: { amount: 0, currency: 'EUR', symbol: '€' } },
    { ...commonFields, instanceId: 'i3', paid: null },
  ]);
  expect(requests[0]?.query).toMatchObject({ sort: 'newest', titletype: '0' });
});
