import { createSignal, type Signal } from '../environment/signal.ts';

/**
 * A signal that a title was granted to the customer in this tab; emitted by every port that learns
 * of a grant.
 */
export const ownershipChanged = (): Signal => createSignal();
