import { defineFlow } from './flow-definition.ts';

export const forgotPassword = defineFlow({
  name: 'forgotPassword',
  machine: 'account/forgot-password',
  routes: [
    {
      pattern: '/forgotpassword',
      name: 'Forgotten password',
      spec: ['S2./forgotpassword'],
      examples: ['/forgotpassword'],
    },
  ],
});
