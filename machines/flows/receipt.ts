import { defineFlow } from './flow-definition.ts';
import { hiddenWhilePaying } from './hides.ts';

const name = 'Thank you';

export const receipt = defineFlow({
  name: 'receipt',
  machine: 'buying/receipt',
  routes: [
    {
      pattern: '/title/purchase/success',
      access: 'login',
      keys: ['transId', 'isgift'],
      hides: hiddenWhilePaying,
      name,
      spec: ['S2./title/purchase/success', 'S2.login/title/purchase/success'],
      examples: ['/title/purchase/success?transId=t1'],
    },
    {
      pattern: '/{of:subscription}/purchase/success',
      access: 'login',
      hides: hiddenWhilePaying,
      name: 'Your subscription',
      spec: ['S2.login/subscription/purchase/success'],
      examples: ['/subscription/purchase/success'],
    },
    {
      pattern: '/cart/purchase/success',
      access: 'login',
      keys: ['transId', 'isgift'],
      hides: hiddenWhilePaying,
      name,
      spec: ['S2.login/cart/purchase/success'],
      examples: ['/cart/purchase/success?transId=t1'],
    },
  ],
});
