import { defineFlow } from './flow-definition.ts';

export const providerReturn = defineFlow({
  name: 'providerReturn',
  machine: 'account/provider-return',
  routes: [
    {
      pattern: '/auth0loginCallback',
      name: 'Signing in',
      crawled: false,
      spec: ['S2./auth0loginCallback'],
      examples: ['/auth0loginCallback'],
    },
  ],
});
