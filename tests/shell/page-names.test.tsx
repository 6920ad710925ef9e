import type { MessageDescriptor } from '@lingui/core';
import { expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { createBrand } from '../../src/brand/brand.ts';
import { pageName as notFoundName } from '../../src/flows/not-found/index.ts';
import { pageName as pagesName } from '../../src/flows/page/index.ts';
import { pageName as receiptName } from '../../src/flows/receipt/index.ts';
import { openShop } from '../support/views/shop.tsx';
import { store } from '../support/views/fixtures.ts';
import { rejectsWith } from '../support/views/world.ts';

const notFoundProblem: Problem = { kind: 'refused', code: 'not_found', message: '' };
const offlineProblem: Problem = { kind: 'offline' };

test.each([
  ['/id:9/Nothing', notFoundProblem, 'We don’t have that title'],
  ['/id:9/Nothing', offlineProblem, 'We couldn’t load this title'],
  ['/catalog/titles/summer', notFoundProblem, 'We couldn’t find that category'],
  ['/catalog/titles/summer', offlineProblem, 'We couldn’t load the titles'],
])('the window title of %s says why the page is not shown (%o)', async (path, problem, name) => {
  openShop(path, { title: rejectsWith(problem), titles: rejectsWith(problem) });
  await expect.poll(() => document.title).toBe(`${name} · The Lamplight Press`);
});

const brand = createBrand(store);
const getMessageText = (name: MessageDescriptor | string | null) => (typeof name === 'object' ? name?.message : name);

test.each([
  ['notFound', 'We couldn’t find that page'],
  ['failed', 'We couldn’t load this page'],
  ['loading', undefined],
])('the name of a store’s page that is %s is %s', (state, name) => {
  const context = { reference: { page: 'x' }, signedIn: false, page: null, problem: null };
  expect(getMessageText(pagesName(context, brand, state))).toBe(name);
});

test.each([
  ['notFound', 'We couldn’t find this receipt'],
  ['failed', 'We couldn’t load your receipt'],
  ['shown', undefined],
])('the name of a receipt that is %s is %s', (state, name) => {
  const context = { isOfPlan: false, transId: 't1', isGift: false, receipt: null, subscription: null, problem: null };
  expect(getMessageText(receiptName(context, brand, state))).toBe(name);
  expect(getMessageText(receiptName({ ...context, isOfPlan: true }, brand, state))).toBe(undefined);
});

test('an unknown address has a name, and the page of a server error has none here', () => {
  expect(getMessageText(notFoundName({ params: {} }, brand, 'shown'))).toBe('Page not found');
  expect(getMessageText(notFoundName({ params: { page: '500' } }, brand, 'shown'))).toBe(undefined);
});

test.each([
  ['/404', 'Page not found'],
  ['/500', 'Internal Server Error'],
  ['/terms/', 'Terms'],
])('the window title of %s is %s', async (path, name) => {
  openShop(path);
  await expect.poll(() => document.title).toBe(`${name} · The Lamplight Press`);
});
