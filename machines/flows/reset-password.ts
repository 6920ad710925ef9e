import { defineFlow } from './flow-definition.ts';

export const resetPassword = defineFlow({
  name: 'resetPassword',
  machine: 'account/reset-password',
  routes: [
    {
      pattern: '/resetpassword/{secret}',
      name: 'New password',
      spec: ['S2./resetpassword'],
      examples: ['/resetpassword/a-token'],
    },
  ],
});
