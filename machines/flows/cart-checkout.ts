import { defineFlow } from './flow-definition.ts';
import { whilePaying } from './hides.ts';

export const cartCheckout = defineFlow({
  name: 'cartCheckout',
  machine: 'buying/cart-checkout',
  routes: [
    {
      pattern: '/cart/checkout',
      access: 'login',
      keys: ['transId'],
      hides: whilePaying,
      name: 'Your purchase',
      spec: ['S2.login/cart/checkout'],
      examples: ['/cart/checkout', '/cart/checkout?transId=t1'],
    },
  ],
});
