import type ts from 'typescript';
import type { Kind } from './mutant.ts';

/**
 * Adds a mutation of the characters from `start` to `end` at a path such as `states.unknown.exit`;
 * `description` describes it.
 */
export type Add = (change: { start: number; end: number; text: string; kind: Kind; path: string; description: string }) => void;

/**
 * The syntax tree of a file under mutation, and the function that adds a mutation.
 */
export type MutationVisitor = {
  tree: ts.SourceFile;
  add: Add;
  /** The names in all `states` of the file, outermost first. */
  stateLists: readonly (readonly string[])[];
};
