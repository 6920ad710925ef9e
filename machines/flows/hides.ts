import type { FramePart } from './flow-definition.ts';

/** What the frame leaves out while somebody pays: nothing leads away. */
export const whilePaying: FramePart[] = ['sidebar', 'search', 'library', 'home', 'explore', 'subscribe', 'topFilter'];

/** What it leaves out around a reader. */
export const whileReading: FramePart[] = [...whilePaying, 'signIn', 'footer'];
