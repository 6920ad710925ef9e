import type { interruptionMachine } from '../../../reading/interruption.ts';
import type { Description } from '../../description.ts';

/** The events that a player receives while its next chapter or part fails to load. */
export const interruptionEventTexts = {
  'continuation.requested': 'Press “Try again” in the message, or wait for five seconds',
  'connection.returned': 'The device is online again',
};
export const retryText = 'The viewer requests the missing part again.';
export const messageText =
  'A message gives the reason why the title does not continue, with “Try again”; the page or picture stays.';
export const messageGoneText = 'The message closes.';

export const interruptionDescription = {
  title: 'A title that does not continue',
  about: 'A message at the foot of the page, or above the buttons of a player, while the next part fails to load.',
  states: {
    'interruption.none': 'No message.',
    'interruption.waiting':
      'The message gives the reason, with “Try again” and “Close this message”; after it is closed, the title waits without a message.',
    'interruption.trying': 'The message, while the viewer requests the missing part again.',
  },
  presses: { 'continue.pressed': 'Press “Try again”', 'interruption.dismissed': 'Press “Close this message”' },
  happens: {
    interrupted: 'The requested chapter fails to load',
    continued: 'The chapter has loaded',
    'connection.returned': 'The device is online again',
  },
  effects: { requestContinuation: retryText, hideMessage: messageGoneText },
} satisfies Description<typeof interruptionMachine>;
