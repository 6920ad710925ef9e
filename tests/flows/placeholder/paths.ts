import { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import { flowInput, type PathModel } from '../../support/path-model.ts';
import type { Words } from '../../support/words.ts';

const placeholderWords = {
  title: 'Placeholder pages',
  about: 'Addresses that say what they are for and lead on: /forgotpassword, /resetpassword/…, /redeem, /purchase and others.',
  states: { 'placeholder.shown': 'A heading, what the address is for, and links that lead on.' },
} satisfies Words<typeof placeholderMachine>;

export const models: PathModel[] = [
  {
    name: 'placeholder',
    machine: placeholderMachine,
    words: placeholderWords,
    given: 'Open /redeem.',
    input: flowInput({ flow: 'placeholder', params: { page: 'redeem' } }),
  },
];
