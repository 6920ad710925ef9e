import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const questions = defineFlow({
  name: 'questions',
  machine: 'account/questions',
  routes: [
    {
      pattern: '/questions',
      access: 'login',
      name: { en: 'Almost there', zh: '即将完成', es: 'Casi está', fr: 'Encore un instant', it: 'Ci siamo quasi' },
      crawled: false,
      examples: ['/questions'],
    },
  ],
});
