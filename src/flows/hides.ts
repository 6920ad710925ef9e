import type { ChromePart } from '../../machines/model/flow-definition.ts';

/** What the frame leaves out while somebody pays: nothing leads away. */
export const whilePaying: ChromePart[] = ['sidebar', 'search', 'library', 'home', 'explore', 'subscribe', 'topFilter'];

/** What it leaves out around a reader. */
export const whileReading: ChromePart[] = [...whilePaying, 'signIn', 'footer'];
