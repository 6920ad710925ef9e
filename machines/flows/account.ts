import { defineFlow } from './flow-definition.ts';

export const account = defineFlow({
  name: 'account',
  machine: 'account/account',
  needsFrame: true,
  routes: [
    {
      pattern: '/account',
      access: 'login',
      name: 'My Profile',
      spec: ['S2.login/account'],
      examples: ['/account'],
    },
  ],
});
