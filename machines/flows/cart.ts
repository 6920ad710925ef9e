import { defineFlow } from './flow-definition.ts';
import { whilePaying } from './hides.ts';

export const cart = defineFlow({
  name: 'cart',
  machine: 'browsing/cart',
  routes: [
    {
      pattern: '/purchase',
      hides: whilePaying,
      name: 'Your cart',
      examples: ['/purchase'],
    },
  ],
});
