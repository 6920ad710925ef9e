import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const providerReturn = defineFlow({
  name: 'providerReturn',
  machine: 'account/provider-return',
  routes: [
    {
      pattern: '/auth0loginCallback',
      name: { en: 'Signing in', zh: '登录', es: 'Inicio de sesión', fr: 'Connexion', it: 'Accesso' },
      crawled: false,
      spec: ['S2./auth0loginCallback'],
      examples: ['/auth0loginCallback'],
    },
  ],
});
