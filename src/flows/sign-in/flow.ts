import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const signIn = defineFlow({
  name: 'signIn',
  machine: 'account/sign-in',
  routes: [
    {
      pattern: '/signin',
      name: { en: 'Sign in', zh: '登录', es: 'Iniciar sesión', fr: 'Se connecter', it: 'Accedi' },
      spec: ['S2./signin'],
      examples: ['/signin'],
    },
  ],
});
