import type { FramePart } from './flow-definition.ts';

/** Frame parts hidden on the way to a payment and during it, so that few links lead away. */
export const hiddenWhilePaying: FramePart[] = ['sidebar', 'search', 'library', 'home', 'explore', 'subscribe', 'topFilter'];

/** Frame parts hidden around a reader. */
export const hiddenWhileReading: FramePart[] = [...hiddenWhilePaying, 'signIn', 'footer'];
