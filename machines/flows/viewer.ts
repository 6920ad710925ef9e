import { defineFlow } from './flow-definition.ts';
import { hiddenWhileReading } from './hides.ts';

export const viewer = defineFlow({
  name: 'viewer',
  machine: 'reading/viewer',
  routes: [
    {
      pattern: '/viewer',
      access: 'login',
      keys: ['instanceid', 'sample'],
      hides: hiddenWhileReading,
      fills: true,
      name: 'Reading',
      spec: ['S2./viewer', 'S2.login/viewer'],
      examples: ['/viewer?instanceid=i1'],
    },
    {
      pattern: '/pdfviewer',
      access: 'login',
      keys: ['instanceid', 'sample'],
      hides: [...hiddenWhileReading, 'topBar'],
      fills: true,
      name: 'Reading',
      spec: ['S2.login/pdfviewer'],
      examples: ['/pdfviewer?instanceid=i1'],
    },
  ],
});
