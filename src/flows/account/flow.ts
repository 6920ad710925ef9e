import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const account = defineFlow({
  name: 'account',
  machine: 'account/account',
  needsFrame: true,
  routes: [
    {
      pattern: '/account',
      access: 'login',
      name: { en: 'My Profile', zh: '我的资料', es: 'Mi perfil', fr: 'Mon profil', it: 'Il mio profilo' },
      spec: ['S2.login/account'],
      examples: ['/account'],
    },
  ],
});
