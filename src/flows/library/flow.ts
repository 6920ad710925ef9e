import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const library = defineFlow({
  name: 'library',
  machine: 'reading/library',
  routes: [
    {
      pattern: '/mylibrary/{type:ebook|audio|video?}',
      access: 'login',
      hides: ['sidebar', 'topFilter'],
      name: { en: 'My Library', zh: '我的书库', es: 'Mi biblioteca', fr: 'Ma bibliothèque', it: 'La mia biblioteca' },
      spec: ['S2./mylibrary', 'S2.login/mylibrary', 'S2.login/mylibrary/type'],
      examples: ['/mylibrary', '/mylibrary/ebook', '/mylibrary/audio', '/mylibrary/video'],
    },
  ],
});
