import { formRules } from '../../support/form-rules.ts';
import type { MachineRules } from '../../support/rules.ts';

export const rules: Record<string, MachineRules> = {
  signIn: {
    rules: formRules('signIn'),
    pii: { 'signIn.checking': 'the form is on its way to the server' },
    ledOn: { 'signIn.welcomed': 'the app leads to the page that the customer came from' },
  },
};
