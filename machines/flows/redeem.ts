import { defineFlow } from './flow-definition.ts';

const name = 'Redeem a code';

export const redeem = defineFlow({
  name: 'redeem',
  machine: 'buying/redeem',
  routes: [
    { pattern: '/redeem', name, examples: ['/redeem'] },
    { pattern: '/redeem/{secret}', name, examples: ['/redeem/A-CODE'] },
  ],
});
