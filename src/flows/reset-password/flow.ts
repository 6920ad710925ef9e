import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const resetPassword = defineFlow({
  name: 'resetPassword',
  machine: 'account/reset-password',
  routes: [
    {
      pattern: '/resetpassword/{secret}',
      name: { en: 'New password', zh: '设置新密码', es: 'Nueva contraseña', fr: 'Nouveau mot de passe', it: 'Nuova password' },
      spec: ['S2./resetpassword'],
      examples: ['/resetpassword/a-token'],
    },
  ],
});
