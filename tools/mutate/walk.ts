import type ts from 'typescript';
import type { Kind } from './mutant.ts';

/** Takes a change of the characters from `start` to `end` at a place, as in `states.unknown.exit`; `what` says it in words. */
export type Add = (change: { start: number; end: number; text: string; kind: Kind; place: string; what: string }) => void;

/** Walks a file; `config` reads object literals by the names of their keys, `code` the bodies of functions. */
export type Walk = {
  tree: ts.SourceFile;
  add: Add;
  /** The names of all `states` of the file, the outermost first. */
  stateLists: readonly (readonly string[])[];
};
