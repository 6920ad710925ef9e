import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const signUp = defineFlow({
  name: 'signUp',
  machine: 'account/sign-up',
  routes: [
    {
      pattern: '/signup',
      name: { en: 'Create an account', zh: '注册账号', es: 'Crear una cuenta', fr: 'Créer un compte', it: 'Crea un account' },
      spec: ['S2./signup'],
      examples: ['/signup'],
    },
  ],
});
