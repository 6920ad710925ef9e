import type { bootMachine } from '../../../app/boot.ts';
import type { Description } from '../../description.ts';

export const bootDescription = {
  title: 'Opening the store',
  about: 'The first thing that the page does: it asks the server for the store’s properties.',
  states: {
    'boot.loading': 'A wait: “Opening the shop…”.',
    'boot.unreachable': 'The heading “The shop can’t be reached”, the reason below it, and “Try again”; the address stays.',
    'boot.valid': 'The shop opens in its own name and colours.',
    'boot.invalid': 'The address becomes /invalid: “Oops! You seem to be lost”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  asks: { storeProperties: 'the store’s properties' },
} satisfies Description<typeof bootMachine>;
