import { defineFlow } from './flow-definition.ts';
import { whilePaying } from './hides.ts';

export const checkout = defineFlow({
  name: 'checkout',
  machine: 'buying/checkout',
  routes: [
    {
      pattern: '/title/purchase',
      keys: ['titleid'],
      hides: whilePaying,
      name: 'Your purchase',
      crawled: false,
      spec: ['S2./title/purchase'],
      examples: ['/title/purchase?titleid=book'],
    },
    {
      pattern: '/checkout/complete',
      access: 'login',
      keys: ['transId'],
      hides: whilePaying,
      name: 'Your purchase',
      spec: ['S2./checkout/complete', 'S2.login/checkout/complete'],
      examples: ['/checkout/complete?transId=t1'],
    },
  ],
});
