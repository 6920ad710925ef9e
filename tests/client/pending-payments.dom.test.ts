import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  removePendingPayments,
  findPendingGift,
  findPendingPayment,
  savePendingPayment,
} from '../../src/client/payment/pending-payments.ts';

const price = { amount: 19.98, currency: 'USD', symbol: '$' };
const title = { of: 'title', titleId: '1', titleIds: null, price } as const;
const gift = { ...title, of: 'gift' } as const;
const cart = { of: 'cart', titleId: '', titleIds: ['2', '1'], price } as const;
const cartGift = { ...cart, of: 'cartGift' } as const;
const orders = [title, gift, cart, cartGift];
const attempt = { key: 'k1', transId: 't1', code: '' };
const listPendingKeys = () => orders.map((order) => findPendingPayment(order)?.key ?? null);

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test.each(orders)('an unfinished payment is found for the same goods only: a $of', (order) => {
  expect(findPendingPayment(order)).toBeNull();
  savePendingPayment(order, { ...attempt, transId: null });
  savePendingPayment(order, attempt);
  expect(findPendingPayment(order)).toMatchObject(attempt);
  expect(listPendingKeys()).toEqual(orders.map((each) => (each === order ? 'k1' : null)));
  removePendingPayments({ of: order.of, titleId: order.titleId });
  expect(listPendingKeys()).toEqual([null, null, null, null]);
});

test('a pending payment of a cart is found in any order of titles, but not at another price', () => {
  savePendingPayment(cart, attempt);
  expect(findPendingPayment({ ...cart, titleIds: ['1', '2'] })).toMatchObject(attempt);
  expect(findPendingPayment({ ...cart, titleIds: ['1', '3'] })).toBeNull();
  expect(findPendingPayment({ ...cart, price: { ...price, amount: 1 } })).toBeNull();
});

test('one pending payment is kept for each title; for carts, and for gifts, only the latest', () => {
  const otherTitle = { ...title, titleId: '9' };
  const otherCart = { ...cart, titleIds: ['9'] };
  for (const order of [title, otherTitle, cart, otherCart, gift, cartGift]) savePendingPayment(order, attempt);
  expect([title, otherTitle, otherCart, cartGift].map((order) => findPendingPayment(order)?.key)).toEqual([
    'k1',
    'k1',
    'k1',
    'k1',
  ]);
  expect([cart, gift].map(findPendingPayment)).toEqual([null, null]);
});

test('a pending gift is found by its transaction', () => {
  savePendingPayment(title, { ...attempt, transId: 't0' });
  savePendingPayment(gift, attempt);
  expect([findPendingGift('t1'), findPendingGift('t0')]).toEqual([{ giftId: 'k1', titleId: '1' }, null]);
  savePendingPayment(cartGift, attempt);
  expect(findPendingGift('t1')).toEqual({ giftId: 'k1', titleId: null });
});

describe('stored by an older version of the shop', () => {
  const olderPayment = { key: 'old', transId: 't1' };
  const storeOlderPayments = (titleOrCart: string) => {
    localStorage.setItem('colophon.pending.', JSON.stringify([{ ...olderPayment, titleId: '1' }]));
    localStorage.setItem('colophon.pending-cart.', JSON.stringify({ ...olderPayment, order: '1,2 19.98 USD' }));
    localStorage.setItem('colophon.pending-gift.', JSON.stringify({ ...olderPayment, titleId: titleOrCart }));
  };

  test('payments stored by an older version are found and removed', () => {
    storeOlderPayments('1');
    expect(listPendingKeys()).toEqual(['old', 'old', 'old', null]);
    expect(findPendingGift('t1')).toEqual({ giftId: 'old', titleId: '1' });
    storeOlderPayments('cart 1,2 19.98 USD');
    expect(listPendingKeys()).toEqual(['old', null, 'old', 'old']);
    expect(findPendingGift('t1')).toEqual({ giftId: 'old', titleId: null });
    removePendingPayments({ of: 'cartGift', titleId: '' });
    expect(listPendingKeys()).toEqual(['old', null, 'old', null]);
    removePendingPayments({ of: 'cart', titleId: '' });
    expect(listPendingKeys()).toEqual(['old', null, null, null]);
  });

  test('payments stored by an older version are replaced, even if the browser does not remove them', () => {
    storeOlderPayments('1');
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => undefined);
    for (const order of [title, gift, cart]) savePendingPayment(order, attempt);
    expect(listPendingKeys()).toEqual(['k1', 'k1', 'k1', null]);
  });

  test('removed payments of an older version cannot be found', () => {
    storeOlderPayments('1');
    for (const each of ['title', 'gift', 'cart'] as const) removePendingPayments({ of: each, titleId: '1' });
    expect(Object.entries(localStorage)).toEqual([['colophon.pending.', '[]']]);
    localStorage.setItem('colophon.pending-cart.', 'null');
    expect(listPendingKeys()).toEqual([null, null, null, null]);
  });
});

test('a full storage keeps the latest payment', () => {
  savePendingPayment(title, attempt);
  const originalSetItem = Storage.prototype.setItem;
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
    if (value.length > 80) throw new DOMException('Full', 'QuotaExceededError');
    originalSetItem.call(this, key, value);
  });
  savePendingPayment(gift, { ...attempt, key: 'k2' });
  expect(listPendingKeys()).toEqual([null, 'k2', null, null]);
});

test('saving a payment in a storage that cannot be written throws', () => {
  savePendingPayment(title, attempt);
  for (const method of ['setItem', 'removeItem'] as const)
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('Refused', 'QuotaExceededError');
    });
  expect(() => savePendingPayment(title, { ...attempt, key: 'k2' })).toThrow('Refused');
});
