import { expect, test } from 'vitest';
import { getAfterPurchase } from '../../../src/flows/receipt/after-purchase.ts';
import { store } from '../../support/views/flow.ts';

const resolveAction = (actionAfterPurchaseConfirmation: string) =>
  getAfterPurchase({
    ...store,
    storeUrl: 'https://own.example/shop',
    storeUrlAlt: 'http://other.example:8080',
    actionAfterPurchaseConfirmation,
  });

test.each([
  ['library', { to: 'library' }],
  [' Viewer ', { to: 'viewer' }],
  ['home', { to: 'home' }],
  ['/pages/public/thanks?a=1', { to: 'path', path: '/pages/public/thanks?a=1' }],
  ['https://own.example/thanks', { to: 'site', url: 'https://own.example/thanks' }],
  ['http://other.example:8080/', { to: 'site', url: 'http://other.example:8080/' }],
])('the setting %j is followed', (setting, expected) => expect(resolveAction(setting)).toEqual(expected));

test.each([
  '',
  'somewhere',
  'https://elsewhere.example/',
  'https://own.example.elsewhere.example/',
  'http://other.example/',
  '//elsewhere.example/',
  '/\\elsewhere.example/',
  'javascript:alert(1)',
  'data:text/html,1',
  'mailto:a@own.example',
  'https://',
])('the setting %j leads to My Library', (setting) => expect(resolveAction(setting)).toEqual({ to: 'library' }));

test('a store without a configured site links to no other site', () => {
  expect(getAfterPurchase({ ...store, actionAfterPurchaseConfirmation: 'https:///' })).toEqual({ to: 'library' });
});
