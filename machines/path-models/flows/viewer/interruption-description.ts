import type { interruptionMachine } from '../../../reading/interruption.ts';
import type { Description } from '../../description.ts';

/** An open title whose next chapter or part fails to load. */
export const interruptionEvents = {
  'continuation.wanted': 'Press “Try again” in the message, or wait for five seconds',
  'connection.returned': 'The device is online again',
};
export const retryText = 'What did not come is asked for again.';
export const messageText = 'A message says why it does not continue, with “Try again”; the page or picture stays.';
export const messageGoneText = 'The message is gone.';

export const interruptionDescription = {
  title: 'A title that does not continue',
  about: 'A message at the foot of the page, or above the buttons of a player, while what was wanted next does not come.',
  states: {
    'interruption.none': 'No message.',
    'interruption.waiting':
      'The message says why it does not continue, with “Try again” and “Close this message”; once it is closed, it waits without one.',
    'interruption.trying': 'The message, while what did not come is asked for.',
  },
  presses: { 'continue.pressed': 'Press “Try again”', 'interruption.dismissed': 'Press “Close this message”' },
  happens: {
    interrupted: 'A chapter that is wanted does not come',
    continued: 'It has come',
    'connection.returned': 'The device is online again',
  },
  effects: { askContinuation: retryText, hideMessage: messageGoneText },
} satisfies Description<typeof interruptionMachine>;
