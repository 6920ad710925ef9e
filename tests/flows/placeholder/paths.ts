import { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import { flowInput, type PathModel } from '../../support/path-model.ts';
import type { Description } from '../../support/description.ts';

const placeholderDescription = {
  title: 'Placeholder pages',
  about: 'Addresses that say what they are for and lead on: /purchase and others.',
  states: { 'placeholder.shown': 'A heading, what the address is for, and links that lead on.' },
} satisfies Description<typeof placeholderMachine>;

export const models: PathModel[] = [
  {
    name: 'placeholder',
    machine: placeholderMachine,
    description: placeholderDescription,
    given: 'Open /purchase.',
    input: flowInput({ flow: 'placeholder', params: { page: 'purchase' } }),
  },
];
