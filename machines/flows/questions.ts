import { defineFlow } from './flow-definition.ts';

export const questions = defineFlow({
  name: 'questions',
  machine: 'account/questions',
  routes: [
    {
      pattern: '/questions',
      access: 'login',
      name: 'Almost there',
      crawled: false,
      examples: ['/questions'],
    },
  ],
});
