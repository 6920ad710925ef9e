import { outputIn, problemIn } from '../ports.ts';

/**
 * The pattern of panels that ask before they remove one item of a list: `asking`, `removing`, and
 * `shown` again. A machine takes `asking` as that state and `thenShown` at the call of `removing`,
 * and names the actions `keepRemoved` and `keepProblem`.
 */
export type RemovalAnswer = { type: 'removal.confirmed' } | { type: 'removal.cancelled' };

/** The state in which the customer is asked. */
export const asking = { on: { 'removal.confirmed': 'removing', 'removal.cancelled': 'shown' } } as const;

/** `onDone` and `onError` of the call that removes: its answer is the list that is left. */
export const thenShown = {
  onDone: { target: 'shown', actions: { type: 'keepRemoved', params: outputIn } },
  onError: { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
} as const;
