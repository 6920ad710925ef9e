import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const placeholder = defineFlow({
  name: 'placeholder',
  machine: 'browsing/static-pages',
  routes: [
    {
      pattern: '/{page:redeem}',
      name: { en: 'Redeem a code', zh: '使用兑换码', es: 'Canjear un código', fr: 'Utiliser un code', it: 'Riscatta un codice' },
      examples: ['/redeem'],
    },
    {
      pattern: '/{page:redeem}/{secret}',
      name: { en: 'Redeem a code', zh: '使用兑换码', es: 'Canjear un código', fr: 'Utiliser un code', it: 'Riscatta un codice' },
      examples: ['/redeem/A-CODE'],
    },
  ],
});
