import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const forgotPassword = defineFlow({
  name: 'forgotPassword',
  machine: 'account/forgot-password',
  routes: [
    {
      pattern: '/forgotpassword',
      name: {
        en: 'Forgotten password',
        zh: '忘记密码',
        es: 'Contraseña olvidada',
        fr: 'Mot de passe oublié',
        it: 'Password dimenticata',
      },
      spec: ['S2./forgotpassword'],
      examples: ['/forgotpassword'],
    },
  ],
});
