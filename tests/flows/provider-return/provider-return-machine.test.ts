import { expect, test } from 'vitest';
import { providerReturnMachine } from '../../../machines/account/provider-return.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, doneEvent, isSendEffect } from '../../support/steps.ts';

test('a customer who is already signed in returns to the page where this tab started to link a provider', () => {
  const answerTaken = doneEvent('consumeAnswer', { path: '/mylibrary', action: null });
  const { effects } = stepThrough(
    providerReturnMachine,
    createFlowInput({ flow: 'providerReturn' }, { signedIn: true }),
    answerTaken,
  );
  expect(effects.filter(isSendEffect).map(({ event }) => event)).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
});
