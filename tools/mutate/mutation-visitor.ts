import type ts from 'typescript';
import type { Kind } from './mutant.ts';

/**
 * Adds a mutation of the characters from `start` to `end` at a place such as `states.unknown.exit`;
 * `what` describes it.
 */
export type Add = (change: { start: number; end: number; text: string; kind: Kind; place: string; what: string }) => void;

/**
 * Visits a file: `config` reads object literals by the names of their keys, `code` the bodies of
 * functions.
 */
export type MutationVisitor = {
  tree: ts.SourceFile;
  add: Add;
  /** The names in all `states` of the file, outermost first. */
  stateLists: readonly (readonly string[])[];
};
