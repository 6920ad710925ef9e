import { afterEach, describe, expect, test, vi } from 'vitest';
import { forgetPending, pendingGift, pendingPayment, rememberPending } from '../../src/client/payment/pending-payments.ts';

const price = { amount: 19.98, currency: 'USD', symbol: '$' };
const title = { of: 'title', titleId: '1', titleIds: null, price } as const;
const gift = { ...title, of: 'gift' } as const;
const cart = { of: 'cart', titleId: '', titleIds: ['2', '1'], price } as const;
const cartGift = { ...cart, of: 'cartGift' } as const;
const orders = [title, gift, cart, cartGift];
const attempt = { key: 'k1', transId: 't1', code: '' };
const keys = () => orders.map((order) => pendingPayment(order)?.key ?? null);

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test.each(orders)('an unfinished payment is taken up for its own goods alone: of a $of', (order) => {
  expect(pendingPayment(order)).toBeNull();
  rememberPending(order, { ...attempt, transId: null });
  rememberPending(order, attempt);
  expect(pendingPayment(order)).toMatchObject(attempt);
  expect(keys()).toEqual(orders.map((each) => (each === order ? 'k1' : null)));
  forgetPending({ of: order.of, titleId: order.titleId });
  expect(keys()).toEqual([null, null, null, null]);
});

test('a cart is the same in another order of its titles, and another one at another price', () => {
  rememberPending(cart, attempt);
  expect(pendingPayment({ ...cart, titleIds: ['1', '2'] })).toMatchObject(attempt);
  expect(pendingPayment({ ...cart, titleIds: ['1', '3'] })).toBeNull();
  expect(pendingPayment({ ...cart, price: { ...price, amount: 1 } })).toBeNull();
});

test('titles are kept side by side; of carts, and of gifts, the latest', () => {
  const other = { ...title, titleId: '9' };
  const otherCart = { ...cart, titleIds: ['9'] };
  for (const order of [title, other, cart, otherCart, gift, cartGift]) rememberPending(order, attempt);
  expect([title, other, otherCart, cartGift].map((order) => pendingPayment(order)?.key)).toEqual(['k1', 'k1', 'k1', 'k1']);
  expect([cart, gift].map(pendingPayment)).toEqual([null, null]);
});

test('a transaction says which gift it pays for', () => {
  rememberPending(title, { ...attempt, transId: 't0' });
  rememberPending(gift, attempt);
  expect([pendingGift('t1'), pendingGift('t0')]).toEqual([{ giftId: 'k1', titleId: '1' }, null]);
  rememberPending(cartGift, attempt);
  expect(pendingGift('t1')).toEqual({ giftId: 'k1', titleId: null });
});

describe('of an older version of the shop', () => {
  const older = { key: 'old', transId: 't1' };
  const keepOlder = (titleOrCart: string) => {
    localStorage.setItem('colophon.pending.', JSON.stringify([{ ...older, titleId: '1' }]));
    localStorage.setItem('colophon.pending-cart.', JSON.stringify({ ...older, order: '1,2 19.98 USD' }));
    localStorage.setItem('colophon.pending-gift.', JSON.stringify({ ...older, titleId: titleOrCart }));
  };

  test('payments are found and forgotten', () => {
    keepOlder('1');
    expect(keys()).toEqual(['old', 'old', 'old', null]);
    expect(pendingGift('t1')).toEqual({ giftId: 'old', titleId: '1' });
    keepOlder('cart 1,2 19.98 USD');
    expect(keys()).toEqual(['old', null, 'old', 'old']);
    expect(pendingGift('t1')).toEqual({ giftId: 'old', titleId: null });
    forgetPending({ of: 'cartGift', titleId: '' });
    expect(keys()).toEqual(['old', null, 'old', null]);
    forgetPending({ of: 'cart', titleId: '' });
    expect(keys()).toEqual(['old', null, null, null]);
  });

  test('payments give way to later ones, also where the browser does not remove them', () => {
    keepOlder('1');
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => undefined);
    for (const order of [title, gift, cart]) rememberPending(order, attempt);
    expect(keys()).toEqual(['k1', 'k1', 'k1', null]);
  });

  test('forgotten ones leave nothing to be found', () => {
    keepOlder('1');
    for (const each of ['title', 'gift', 'cart'] as const) forgetPending({ of: each, titleId: '1' });
    expect(Object.entries(localStorage)).toEqual([['colophon.pending.', '[]']]);
    localStorage.setItem('colophon.pending-cart.', 'null');
    expect(keys()).toEqual([null, null, null, null]);
  });
});

test('a full storage keeps the latest payment', () => {
  rememberPending(title, attempt);
  const write = Storage.prototype.setItem;
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
    if (value.length > 80) throw new DOMException('Full', 'QuotaExceededError');
    write.call(this, key, value);
  });
  rememberPending(gift, { ...attempt, key: 'k2' });
  expect(keys()).toEqual([null, 'k2', null, null]);
});

test('a storage that cannot be written fails before a payment is asked for', () => {
  rememberPending(title, attempt);
  for (const method of ['setItem', 'removeItem'] as const)
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('Refused', 'QuotaExceededError');
    });
  expect(() => rememberPending(title, { ...attempt, key: 'k2' })).toThrow('Refused');
});
