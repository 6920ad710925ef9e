import { expect, test } from 'vitest';
import { providerReturnMachine } from '../../../machines/account/provider-return.ts';
import { flowInput } from '../../../machines/path-models/path-model.ts';
import { after, done, isSend } from '../../support/steps.ts';

test('who is signed in by now goes on to what this tab had begun', () => {
  const taken = done('takeAnswer', { path: '/mylibrary', action: null });
  const { effects } = after(providerReturnMachine, flowInput({ flow: 'providerReturn' }, { signedIn: true }), taken);
  expect(effects.filter(isSend).map(({ event }) => event)).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
});
