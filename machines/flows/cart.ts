import { defineFlow } from './flow-definition.ts';
import { hiddenWhilePaying } from './hides.ts';

export const cart = defineFlow({
  name: 'cart',
  machine: 'browsing/cart',
  routes: [
    {
      pattern: '/purchase',
      hides: hiddenWhilePaying,
      name: 'Your cart',
      examples: ['/purchase'],
    },
  ],
});
