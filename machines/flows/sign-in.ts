import { defineFlow } from './flow-definition.ts';

export const signIn = defineFlow({
  name: 'signIn',
  machine: 'account/sign-in',
  routes: [
    {
      pattern: '/signin',
      name: 'Sign in',
      spec: ['S2./signin'],
      examples: ['/signin'],
    },
  ],
});
