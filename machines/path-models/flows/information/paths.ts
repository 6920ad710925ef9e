import { informationMachine } from '../../../browsing/static-pages.ts';
import { createFlowInput, type PathModel } from '../../path-model.ts';
import type { Description } from '../../description.ts';

const informationDescription = {
  title: 'Information pages',
  about: 'The pages /about, /terms and /privacy.',
  states: { 'information.shown': 'What the store says of itself; a link when it keeps the page on its own site.' },
} satisfies Description<typeof informationMachine>;

export const models: PathModel[] = [
  {
    name: 'information',
    machine: informationMachine,
    description: informationDescription,
    startInstruction: 'Open /about, /terms or /privacy.',
    input: createFlowInput({ flow: 'information' }),
  },
];
