import { getOutput, getProblem } from '../ports.ts';

/**
 * The pattern of panels that confirm the removal of a list item: `asking`, `removing`, then `shown`
 * again. A machine uses `asking` as that state, spreads `showAfterRemoval` into the invoke of
 * `removing`, and has the actions `keepRemoved` and `keepProblem`.
 */
export type RemovalDecision = { type: 'removal.confirmed' } | { type: 'removal.cancelled' };

/** The state in which the customer confirms or cancels. */
export const asking = { on: { 'removal.confirmed': 'removing', 'removal.cancelled': 'shown' } } as const;

/** `onDone` and `onError` of the removal request, whose output is the list after the removal. */
export const showAfterRemoval = {
  onDone: { target: 'shown', actions: { type: 'keepRemoved', params: getOutput } },
  onError: { target: 'shown', actions: { type: 'keepProblem', params: getProblem } },
} as const;
