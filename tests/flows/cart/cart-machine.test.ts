import { expect, test } from 'vitest';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import { createFlowInput, summary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent } from '../../support/steps.ts';

test('a cart changed in another tab is updated', () => {
  const entry = (titleId: string) => ({ titleId, name: '', savedAt: '', isOwned: false, title: summary });
  const shown = [doneEvent('cartEntries', { entries: [entry('1')], refused: null }), { type: 'cart.changed' }];
  const step = stepThrough(
    cartMachine,
    createFlowInput({ flow: 'cart' }),
    ...shown,
    doneEvent('cartEntriesAnew', { entries: [entry('2'), entry('1')], refused: null }),
  );
  expect(getContext(step)['entries']).toEqual([entry('2'), entry('1')]);
});

test('a code being looked up while another tab changes the cart is looked up again for the new cart', () => {
  const entry = { titleId: '1', name: '', savedAt: '', isOwned: false, title: summary };
  const form = { code: 'SPRING-20' };
  const input = createFlowInput({ flow: 'cart' }, { signedIn: true });
  const shown = [
    doneEvent('cartEntries', { entries: [entry], refused: null }),
    { type: 'code.submitted', pii: { form } },
    { type: 'cart.changed' },
  ];
  const step = stepThrough(cartMachine, input, ...shown);
  expect(getContext(step)['pii']).toEqual({ form });
  const cheaper = { ...entry, usual: summary.prices };
  expect(
    getContext(stepThrough(cartMachine, input, ...shown, doneEvent('applyCode', { entries: [cheaper], refused: null }))),
  ).toMatchObject({
    entries: [cheaper],
    pii: { form: null },
  });
});
