import { defineFlow } from './flow-definition.ts';

export const signUp = defineFlow({
  name: 'signUp',
  machine: 'account/sign-up',
  routes: [
    {
      pattern: '/signup',
      name: 'Create an account',
      spec: ['S2./signup'],
      examples: ['/signup'],
    },
  ],
});
