import { expect, test } from 'vitest';
import { cartCheckoutMachine } from '../../../machines/buying/cart-checkout.ts';
import { quoteCart } from '../../../machines/model/cart.ts';
import { flowInput, store, summary } from '../../../machines/path-models/path-model.ts';
import { after, done, isStart } from '../../support/steps.ts';

const entry = { titleId: '1001', name: summary.name, savedAt: '2026-01-01T00:00:00.000Z', isOwned: false, title: summary };
const order = { quote: quoteCart([entry], { locale: 'en', countries: ['US'] }), key: 'k1', transId: null };

test('a cart that a code makes cheaper is paid as what it is then', () => {
  const applied = done('applyCode', { ...order, key: 'k2', transId: 't2' });
  const typed = { type: 'code.submitted', pii: { form: { code: 'HALF' } } };
  const events = [done('cartOrder', order), done('keptCards', []), typed, applied, { type: 'pay.pressed' }];
  const [payment] = after(cartCheckoutMachine, flowInput({ flow: 'cartCheckout' }, { signedIn: true }), ...events).effects.filter(
    isStart,
  );
  expect(payment?.input).toMatchObject({ key: 'k2', transId: 't2' });
});

test('in a store that sells no titles there is nothing to pay', () => {
  const input = flowInput({ flow: 'cartCheckout' }, { signedIn: true, store: { ...store, showBuyTitle: false } });
  expect(after(cartCheckoutMachine, input, done('cartOrder', order)).snapshot.value).toBe('empty');
});
