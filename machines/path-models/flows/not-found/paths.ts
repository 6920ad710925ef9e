import { notFoundMachine } from '../../../browsing/static-pages.ts';
import { createFlowInput, type PathModel } from '../../path-model.ts';
import type { Description } from '../../description.ts';

const notFoundDescription = {
  title: 'A page that is not there',
  about: 'Any path that the shop does not know.',
  states: { 'notFound.shown': 'The heading “Oops! Wrong Turn” and “Back to Home”, which leads to /.' },
} satisfies Description<typeof notFoundMachine>;

export const models: PathModel[] = [
  {
    name: 'notFound',
    machine: notFoundMachine,
    description: notFoundDescription,
    startInstruction: 'Open a path that is not there: /nowhere.',
    input: createFlowInput({ flow: 'notFound' }),
  },
];
