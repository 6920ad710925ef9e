import { expect, test } from 'vitest';
import { cartMachine } from '../../../machines/browsing/cart.ts';
import { createFlowInput, titleSummary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent } from '../../support/steps.ts';

test('a cart changed in another tab is updated', () => {
  const createEntry = (titleId: string) => ({ titleId, name: '', savedAt: '', isOwned: false, title: titleSummary });
  const events = [doneEvent('cartEntries', { entries: [createEntry('1')], refused: null }), { type: 'cart.changed' }];
  const step = stepThrough(
    cartMachine,
    createFlowInput({ flow: 'cart' }),
    ...events,
    doneEvent('reloadCartEntries', { entries: [createEntry('2'), createEntry('1')], refused: null }),
  );
  expect(getContext(step)['entries']).toEqual([createEntry('2'), createEntry('1')]);
});

test('a code whose lookup is interrupted by a change in another tab is looked up again for the new cart', () => {
  const entry = { titleId: '1', name: '', savedAt: '', isOwned: false, title: titleSummary };
  const form = { code: 'SPRING-20' };
  const input = createFlowInput({ flow: 'cart' }, { signedIn: true });
  const events = [
    doneEvent('cartEntries', { entries: [entry], refused: null }),
    { type: 'code.submitted', pii: { form } },
    { type: 'cart.changed' },
  ];
  const step = stepThrough(cartMachine, input, ...events);
  expect(getContext(step)['pii']).toEqual({ form });
  const cheaperEntry = { ...entry, usual: titleSummary.prices };
  expect(
    getContext(stepThrough(cartMachine, input, ...events, doneEvent('applyCode', { entries: [cheaperEntry], refused: null }))),
  ).toMatchObject({
    entries: [cheaperEntry],
    pii: { form: null },
  });
});
