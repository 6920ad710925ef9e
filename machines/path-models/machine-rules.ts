import type { AnyMachineSnapshot } from 'xstate';
import type { Rule } from '../paths/rules.ts';
import type { Allowances } from './general-rules.ts';

/**
 * A machine's own rules, besides the general ones; a folder's `rules.ts` exports them by the
 * machine's name, as `rules`.
 */
export type MachineRules = Allowances & {
  rules: readonly Rule[];
  /**
   * The parts of a snapshot that the rules read: snapshots that differ in them are of different
   * kinds, even if they accept the same events in the same way.
   */
  reads?: (snapshot: AnyMachineSnapshot) => unknown;
};
