import { defineFlow } from '../../../machines/model/flow-definition.ts';
import { whilePaying } from '../hides.ts';

export const cart = defineFlow({
  name: 'cart',
  machine: 'browsing/cart',
  routes: [
    {
      pattern: '/purchase',
      hides: whilePaying,
      name: { en: 'Your cart', zh: '购物车', es: 'Tu carrito', fr: 'Votre panier', it: 'Il tuo carrello' },
      examples: ['/purchase'],
    },
  ],
});
