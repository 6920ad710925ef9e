import type { FramePart } from './flow-definition.ts';

/** Frame parts hidden during payment, so that no link leads away. */
export const hiddenWhilePaying: FramePart[] = ['sidebar', 'search', 'library', 'home', 'explore', 'subscribe', 'topFilter'];

/** Frame parts hidden around a reader. */
export const hiddenWhileReading: FramePart[] = [...hiddenWhilePaying, 'signIn', 'footer'];
