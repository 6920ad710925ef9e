import { defineFlow } from '../../../machines/model/flow-definition.ts';

const name = { en: 'Redeem a code', zh: '使用兑换码', es: 'Canjear un código', fr: 'Utiliser un code', it: 'Riscatta un codice' };

export const redeem = defineFlow({
  name: 'redeem',
  machine: 'buying/redeem',
  routes: [
    { pattern: '/redeem', name, examples: ['/redeem'] },
    { pattern: '/redeem/{secret}', name, examples: ['/redeem/A-CODE'] },
  ],
});
