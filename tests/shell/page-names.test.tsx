import type { MessageDescriptor } from '@lingui/core';
import { expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { brandOf } from '../../src/brand/brand.ts';
import { pageName as notFoundName } from '../../src/flows/not-found/index.ts';
import { pageName as pagesName } from '../../src/flows/page/index.ts';
import { pageName as receiptName } from '../../src/flows/receipt/index.ts';
import { openShop } from '../support/views/shop.tsx';
import { store } from '../support/views/fixtures.ts';
import { refuses } from '../support/views/world.ts';

const missing: Problem = { kind: 'refused', code: 'not_found', message: '' };
const offline: Problem = { kind: 'offline' };

test.each([
  ['/id:9/Nothing', missing, 'We don’t have that title'],
  ['/id:9/Nothing', offline, 'We couldn’t load this title'],
  ['/catalog/titles/summer', missing, 'We couldn’t find that category'],
  ['/catalog/titles/summer', offline, 'We couldn’t load the titles'],
])('the window of %s that is not shown (%o) says so', async (path, problem, name) => {
  openShop(path, { title: refuses(problem), titles: refuses(problem) });
  await expect.poll(() => document.title).toBe(`${name} · The Lamplight Press`);
});

const brand = brandOf(store);
const words = (name: MessageDescriptor | string | null) => (typeof name === 'object' ? name?.message : name);

test.each([
  ['notFound', 'We couldn’t find that page'],
  ['failed', 'We couldn’t load this page'],
  ['loading', undefined],
])('a page of the store’s that is %s', (state, name) => {
  const context = { reference: { page: 'x' }, signedIn: false, page: null, problem: null };
  expect(words(pagesName(context, brand, state))).toBe(name);
});

test.each([
  ['notFound', 'We couldn’t find this receipt'],
  ['failed', 'We couldn’t load your receipt'],
  ['shown', undefined],
])('a receipt that is %s', (state, name) => {
  const context = { isOfPlan: false, transId: 't1', isGift: false, receipt: null, subscription: null, problem: null };
  expect(words(receiptName(context, brand, state))).toBe(name);
  expect(words(receiptName({ ...context, isOfPlan: true }, brand, state))).toBe(undefined);
});

test('an address that leads nowhere has no name in the registry', () => {
  expect(words(notFoundName({ params: {} }, brand, 'shown'))).toBe('Page not found');
  expect(words(notFoundName({ params: { page: '500' } }, brand, 'shown'))).toBe(undefined);
});

test.each([
  ['/404', 'Page not found'],
  ['/500', 'Internal Server Error'],
  ['/terms/', 'Terms'],
])('the window of %s is called %s', async (path, name) => {
  openShop(path);
  await expect.poll(() => document.title).toBe(`${name} · The Lamplight Press`);
});
