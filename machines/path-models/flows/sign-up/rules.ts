import { createFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

export const rules: Record<string, MachineRules> = {
  signUp: {
    rules: createFormRules('signUp'),
    pii: { 'signUp.checking': 'the form is on its way to the server' },
    externalExits: { 'signUp.welcomed': 'the app leads to the page that the customer came from' },
  },
};
