import { defineFlow } from './flow-definition.ts';

export const library = defineFlow({
  name: 'library',
  machine: 'reading/library',
  routes: [
    {
      pattern: '/mylibrary/{type:ebook|audio|video?}',
      access: 'login',
      hides: ['sidebar', 'topFilter'],
      name: 'My Library',
      spec: ['S2./mylibrary', 'S2.login/mylibrary', 'S2.login/mylibrary/type'],
      examples: ['/mylibrary', '/mylibrary/ebook', '/mylibrary/audio', '/mylibrary/video'],
    },
  ],
});
