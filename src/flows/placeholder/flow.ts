import { defineFlow } from '../../../machines/model/flow-definition.ts';
import { whilePaying } from '../hides.ts';

export const placeholder = defineFlow({
  name: 'placeholder',
  machine: 'browsing/static-pages',
  routes: [
    {
      pattern: '/{page:purchase}',
      hides: whilePaying,
      name: { en: 'Your cart', zh: '购物车', es: 'Tu carrito', fr: 'Votre panier', it: 'Il tuo carrello' },
      examples: ['/purchase'],
    },
    {
      pattern: '/{page:cart/checkout}',
      access: 'login',
      hides: whilePaying,
      name: { en: 'Your cart', zh: '购物车', es: 'Tu carrito', fr: 'Votre panier', it: 'Il tuo carrello' },
      spec: ['S2.login/cart/checkout'],
      examples: ['/cart/checkout'],
    },
    {
      pattern: '/{page:cart/purchase/success}',
      access: 'login',
      hides: whilePaying,
      name: { en: 'Your purchases', zh: '您的购买记录', es: 'Tus compras', fr: 'Vos achats', it: 'I tuoi acquisti' },
      spec: ['S2.login/cart/purchase/success'],
      examples: ['/cart/purchase/success'],
    },
  ],
});
